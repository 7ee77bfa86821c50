import type { AcpProfile } from '../families/acp/profile.ts'
import { GUIDANCE, REFUSALS } from './errors.ts'
import { SHELL_NOISE } from './tools.ts'

/** Errors of the provider come as words of the agent, in a turn that ends well. */
export const profile: AcpProfile = {
  args: [],
  modelFlag: '--model',
  mcpByFlag: true,
  shellNoise: SHELL_NOISE,
  deniedError: /^(Permission|Denied|The user rejected)/,
  usageScope: 'process',
  metered: {},
  errorText: [/^Error: /],
  retryText: /^Info: (?:Request failed|Response was interrupted).* Retrying/,
  subagentInput: 'agent_type',
  noticeText: [/^Info: /, /^Warning: /],
  guidance: GUIDANCE,
  exitWords: REFUSALS,
}
