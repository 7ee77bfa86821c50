import type { AcpProfile } from '../acp/profile.ts'
import { LOGIN_GUIDANCE, REFUSALS } from './errors.ts'
import { SHELL_NOISE } from './tools.ts'

/** Errors of the provider come as words of the agent, in a turn that ends well. */
export const profile: AcpProfile = {
  args: [],
  modelFlag: '--model',
  mcpByFlag: true,
  shellNoise: SHELL_NOISE,
  usageScope: 'process',
  errorText: [/^Error: /],
  noticeText: [/^Info: /, /^Warning: /],
  guidance: LOGIN_GUIDANCE,
  exits: REFUSALS,
}
