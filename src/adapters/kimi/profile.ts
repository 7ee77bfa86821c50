import type { AcpProfile } from '../acp/profile.ts'
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
  guidance: GUIDANCE,
  toolName: 'title',
  turnRecord,
  subagentTools: ['Agent'],
  deniedError: /^Plan mode is active/,
}
