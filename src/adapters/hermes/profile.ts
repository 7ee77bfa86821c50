import { asRecord, asString, type JsonRecord } from '../../core/json.ts'
import type { AcpProfile } from '../families/acp/profile.ts'
import { endpointModel } from './endpoint.ts'
import { logSign } from './log.ts'
import { nameInTitle, shellResult } from './tools.ts'

/** Its requests name calls of their own: `perm-check-1` for a command, `edit-approval-1` for a change. */
function permittedInput({ toolCallId, rawInput }: JsonRecord): JsonRecord | null {
  const input = asRecord(rawInput)
  if (!input || !/^(?:perm-check|edit-approval)-/.test(asString(toolCallId) ?? '')) return null
  return asRecord(input.arguments) ?? { command: input.command }
}

export const profile: AcpProfile = {
  args: ['acp'],
  // A change of the model drops those of the protocol (0.19).
  mcpByFlag: true,
  withoutHostFiles: true,
  withoutHostTerminals: true,
  modes: { yolo: 'dont_ask', 'accept-edits': 'accept_edits' },
  // The counts of a turn come with its answer; its database has those of each request before its tools run.
  metered: { mode: 'default' },
  modelNames: {
    native: (model, { endpoint }) => (endpoint ? endpointModel(model) : model),
    plain: (modelId) => modelId.replace(/^[\w-]+:/, ''),
  },
  sessionsKeepEndpoint: true,
  resumesByLoad: true,
  usageScope: 'process',
  failsWithoutUsage: true,
  hidesEnds: true,
  logSign,
  nameInTitle,
  startsWhole: true,
  authWords: /No LLM provider configured/,
  toolKinds: { delegate_task: 'other', process: 'other' },
  shellResult,
  permittedInput,
  titledInput: ({ toolName, text }) =>
    toolName === 'terminal' && text.startsWith('$ ') ? { command: text.slice(2) } : undefined,
  subagentTools: ['delegate_task'],
  guidance: 'Run `hermes setup`, or set the key of a provider, such as OPENROUTER_API_KEY.',
  errorText: [/^API call failed after \d+ retries: /, /^HTTP [45]\d\d: /, /^Error: Error code: \d{3} - /],
  exitWords: [
    {
      pattern: /^.*(no .*(api key|provider|credentials)|hermes (setup|login|auth)|unauthorized|401).*$/im,
      kind: 'auth',
    },
    { pattern: /^.*session.*not found.*$/im, kind: 'session_not_found' },
    { pattern: /^hermes.*: error: .*$/m, kind: 'invalid_request' },
  ],
}
