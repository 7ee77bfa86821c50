import type { AcpProfile } from '../families/acp/profile.ts'
import { turnRecord } from './turn-record.ts'

export const GUIDANCE = 'Run `kimi login`, or set up a provider with `kimi provider`.'

export const profile: AcpProfile = {
  args: ['acp'],
  env: { KIMI_CODE_NO_AUTO_UPDATE: '1' },
  // It would keep its plans and look for AGENTS.md through us, outside the workspace as well.
  withoutHostFiles: true,
  withoutHostTerminals: true,
  endpointModel: '__kimi_env_model__',
  effortVariable: 'KIMI_MODEL_THINKING_EFFORT',
  modes: { yolo: 'yolo', deny: 'plan' },
  // Each record waits for the disk to have the one before (2.1.0), so that several requests may be made meanwhile.
  metered: { mode: 'default' },
  guidance: GUIDANCE,
  toolName: 'title',
  turnRecord,
  subagentTools: ['Agent'],
  // It speaks of its compactions as if the model had said it.
  noticeText: [
    /^Compacting conversation context(…$| with instruction: )/,
    /^Compaction (cancelled\.|is blocked by the current turn; .*)$/,
  ],
  compactedText:
    /^Compaction completed\.\n- Messages compacted: .*\n- Tokens before: ([\d,]+)\n- Tokens after: ([\d,]+)$/,
  deniedError: /^Plan mode is active/,
}
