import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { modelName } from './document.ts'
import { begin, type DialogueState } from './state.ts'

const STARTED = /embedded run start: runId=\S+ sessionId=(\S+) provider=(\S+) model=(\S+)/
const TOOL = /embedded run tool (start|end): runId=\S+ tool=(\S+) toolCallId=(\S+)/
const RETRY = /transient same-model retry (\d+)\/(\d+) for \S+ reason=(\w+): delayMs=(\d+)/

/** The lines of the log that tell how a turn gets on. It names the tools, but neither what they get nor what they give. */
export function logEffects(state: DialogueState, line: string): Effect[] {
  if (line.includes('embedded run tool ')) return toolLine(state, line)
  if (line.includes('transient same-model retry ')) return retryLine(state, line)
  return line.includes('embedded run start: ') ? startLine(state, line) : NO_EFFECTS
}

function startLine(state: DialogueState, line: string): Effect[] {
  const [, sessionId = '', provider, model] = STARTED.exec(line) ?? []
  // It is reported again for each try of a request.
  if (sessionId === '' || state.sessionId !== '') return NO_EFFECTS
  state.sessionId = sessionId
  return [
    { emit: { type: 'session_start', sessionId, resumed: false } },
    { model: modelName(provider, model) },
    ...begin(state),
  ]
}

// Made again each time: an event is stamped in place.
const rateLimited = (): Effect => ({ emit: { type: 'rate_limited' } })

function toolLine(state: DialogueState, line: string): Effect[] {
  const [, phase, toolName = '', toolCallId = ''] = TOOL.exec(line) ?? []
  if (toolCallId === '') return NO_EFFECTS
  state.reportedTools = true
  return phase === 'start'
    ? [{ emit: { type: 'tool_call_start', toolCallId, toolName } }]
    : [{ emit: { type: 'tool_result', toolCallId, toolName, output: null } }]
}

/** What the log of a less talkative run begins with. */
function retryLine(state: DialogueState, line: string): Effect[] {
  const [, attempt, maxAttempts, reason = '', delayMs] = RETRY.exec(line) ?? []
  if (attempt === undefined) return NO_EFFECTS
  const isLimit = reason === 'rate_limit'
  return [
    ...begin(state),
    ...(isLimit ? [rateLimited()] : NO_EFFECTS),
    {
      emit: {
        type: 'retry',
        attempt: Number(attempt),
        maxAttempts: Number(maxAttempts),
        reason,
        delayMs: Number(delayMs),
      },
    },
  ]
}
