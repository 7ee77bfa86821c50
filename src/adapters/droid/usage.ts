import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { asRecord, asString, type JsonRecord } from '../../core/json.ts'
import { addUsage, countsSince, emptyUsage, netCounts, type UsageCounts } from '../../core/usage.ts'
import type { DialogueState } from './state.ts'

/** Input leaves out the cache. */
function countsOf(native: JsonRecord): UsageCounts {
  return netCounts({
    input: native.inputTokens ?? native.input_tokens,
    output: native.outputTokens ?? native.output_tokens,
    thinking: native.thinkingTokens ?? native.thinking_tokens,
    cacheRead: native.cacheReadTokens ?? native.cache_read_input_tokens,
    cacheCreation: native.cacheCreationTokens ?? native.cache_creation_input_tokens,
  })
}

function tell(state: DialogueState, counts: UsageCounts): Effect[] {
  if (counts.inputTokens + counts.outputTokens === 0) return NO_EFFECTS
  state.turnUsage = addUsage({ ...emptyUsage(), ...state.turnUsage }, counts)
  return [{ emit: { type: 'token_usage', ...counts, model: state.options.model } }]
}

/** After each request: what the session has used in all, sub-agents included. A resumed one does not begin at zero. */
export function usageChanged(state: DialogueState, note: JsonRecord): Effect[] {
  const reported = asString(note.sessionId)
  if (reported !== undefined && reported !== state.sessionId) return NO_EFFECTS
  const now = countsOf(asRecord(note.inclusiveTokenUsage) ?? asRecord(note.tokenUsage) ?? {})
  const { sessionId, forkSessionId } = state.options
  const isNew = sessionId === undefined && forkSessionId === undefined
  const last = countsOf(asRecord(note.lastCallTokenUsage) ?? {})
  const before = state.sessionUsage ?? (isNew ? emptyUsage() : countsSince(now, last))
  state.sessionUsage = now
  return tell(state, countsSince(now, before))
}

/** When a turn is over: what it has used in all, of which most was reported already. */
export function turnUsage(state: DialogueState, native: JsonRecord, session: JsonRecord | undefined): Effect[] {
  const effects = tell(state, countsSince(countsOf(native), { ...emptyUsage(), ...state.turnUsage }))
  state.turnUsage = null
  // The last notice may come after the end of its turn.
  if (session) state.sessionUsage = countsOf(session)
  return effects
}
