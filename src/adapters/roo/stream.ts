import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { decideFailure } from '../../core/failure-codes.ts'
import { failTurn } from '../../core/failures.ts'
import { asNumber, asRecord, asString, type JsonRecord, textOf } from '../../core/json.ts'
import { exitCodeOf, toolDone, toolReady } from '../kit/tools.ts'
import type { DialogueState } from './state.ts'
import { readCall, TOOLS } from './tools.ts'

export const GUIDANCE = 'Run `roo auth login`, or set the key of your provider.'

/**
 * A record of `roo --print --output-format stream-json`. What comes next reports that a call without a result is over.
 */
export function streamRecord(state: DialogueState, record: JsonRecord): Effect[] {
  switch (record.type) {
    case 'assistant':
      return [...endCall(state), ...assistant(state, record)]
    case 'thinking':
      return [...endCall(state), ...pieces(state, record, 'thinking_delta')]
    case 'tool_use':
      return [...endCall(state), ...toolUse(state, record)]
    case 'tool_result':
      return toolResult(state, record)
    case 'result':
      return [...endCall(state), ...result(state, record)]
    case 'error':
      state.lastError = textOf(record.content)
      return NO_EFFECTS
    case 'system': // of the start it reports no more than that
    case 'user': // what we have said
    case 'queue':
    case 'control':
      return NO_EFFECTS
    default:
      return [{ unrecognized: asString(record.type) ?? 'record' }]
  }
}

/** With a subtype it is one of its notices, of which only a failed request and a question are known. */
function assistant(state: DialogueState, record: JsonRecord): Effect[] {
  switch (record.subtype) {
    case undefined: {
      const effects = pieces(state, record, 'text_delta')
      if (record.done !== true) return effects
      state.lastText = textOf(record.content)
      return [...effects, { emit: { type: 'message_stop', text: state.lastText } }]
    }
    case 'followup':
      return pieces(state, record, 'text_delta')
    case 'api_req_failed':
      state.lastError = textOf(record.content)
      return NO_EFFECTS
    default:
      return [{ unrecognized: `assistant/${asString(record.subtype) ?? ''}` }]
  }
}

/** Pieces of a message, and at its end the whole of it. */
function pieces(state: DialogueState, record: JsonRecord, type: 'text_delta' | 'thinking_delta'): Effect[] {
  const content = textOf(record.content)
  const reported = state.emitted.get(record.id) ?? ''
  if (record.done !== true) {
    state.emitted.set(record.id, reported + content)
    return content === '' ? NO_EFFECTS : [{ emit: { type, delta: content } }]
  }
  state.emitted.delete(record.id)
  const rest = content.startsWith(reported) ? content.slice(reported.length) : ''
  return rest === '' ? NO_EFFECTS : [{ emit: { type, delta: rest } }]
}

/** Pieces of a call have a `content`; the call itself has none. */
function toolUse(state: DialogueState, record: JsonRecord): Effect[] {
  if (record.content !== undefined) return NO_EFFECTS
  state.callCount += 1
  const toolCallId = record.id === undefined ? `call-${state.callCount}` : String(record.id)
  state.call = { toolCallId, ...readCall(asRecord(record.tool_use) ?? {}), output: '' }
  return toolReady(TOOLS, state.call, state.options.cwd ?? '')
}

function toolResult(state: DialogueState, record: JsonRecord): Effect[] {
  const { call } = state
  if (!call) return NO_EFFECTS
  const reported = asRecord(record.tool_result) ?? {}
  call.output += textOf(reported.output)
  // Only commands are reported in pieces, and only by versions that give the result an id.
  if (record.id !== undefined && record.done !== true) return NO_EFFECTS
  return endCall(state, exitCodeOf(reported))
}

function endCall(state: DialogueState, exitCode?: number): Effect[] {
  const { call } = state
  if (!call) return NO_EFFECTS
  state.call = null
  return toolDone(TOOLS, call, { output: call.output, stdout: call.output, exitCode })
}

function result(state: DialogueState, record: JsonRecord): Effect[] {
  state.settled = true
  const text = textOf(record.content)
  const effects = usage(state, asRecord(record.cost))
  if (record.success === false) effects.push(...failed(state.lastError || text || 'The task failed.'))
  else if (text !== '' && text !== state.lastText) effects.unshift({ emit: { type: 'text_delta', delta: text } })
  return [...effects, { emit: { type: 'turn_end' } }]
}

/** The verdict on a task that an error has ended. */
export function failed(message: string): Effect[] {
  return failTurn(decideFailure({ words: message }), { message, guidance: GUIDANCE })
}

/** Of the last request only: with a call of a tool there was one before. */
function usage({ callCount }: DialogueState, cost: JsonRecord | undefined): Effect[] {
  if (cost === undefined || callCount > 0) return []
  const cacheReadTokens = asNumber(cost.cacheReads) ?? 0
  const cacheCreationTokens = asNumber(cost.cacheWrites) ?? 0
  const counts = {
    inputTokens: asNumber(cost.inputTokens) ?? 0,
    outputTokens: asNumber(cost.outputTokens) ?? 0,
    cachedTokens: cacheReadTokens,
    cacheReadTokens,
    cacheCreationTokens,
  }
  const totalUsd = asNumber(cost.totalCost)
  const effects: Effect[] = [{ emit: { type: 'token_usage', ...counts } }]
  if (totalUsd !== undefined) effects.push({ emit: { type: 'cost', cost: { totalUsd, ...counts } } })
  return effects
}
