import type { AcpProfile } from '../families/acp/profile.ts'
import { GUIDANCE, REFUSALS } from './errors.ts'
import { titledInput } from './tools.ts'
import { turnRecord } from './turn-record.ts'

/** `authMethods` stays empty: to authenticate by the protocol makes the CLI write the user's settings. */
export const profile: AcpProfile = {
  args: [],
  modelFlag: '--model',
  modes: { prompt: 'default', 'accept-edits': 'autoEdit', yolo: 'yolo', deny: 'default' },
  guidance: GUIDANCE,
  noticeText: [/^\[MODE_UPDATE\] /],
  failedOutput: /^Command cancelled by user/,
  nameInId: /^(.+?)__/,
  titledInput,
  subagentTools: ['invoke_agent'],
  // A thought without a subject.
  thoughtNoise: /^\*{4}\n/,
  withoutHostFiles: true,
  replayEndsWith: 'available_commands_update',
  exitWords: REFUSALS,
  turnRecord,
}
