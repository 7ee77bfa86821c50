import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS, sessionOpened, warning } from '../../core/effects.ts'
import { asRecord, asString, type JsonRecord } from '../../core/json.ts'
import { continuesSession } from '../kit/continues-session.ts'
import { structuredOutput } from '../kit/structured-output.ts'
import { retryNotice, turnFailure } from './errors.ts'
import { itemCompleted, itemStarted, planUpdated } from './items.ts'
import { codexWarning } from './own-warnings.ts'
import { type DialogueState, forgetTurn } from './state.ts'
import { itemType } from './tools.ts'
import { readCounts } from './usage.ts'

/** A record of `codex exec --json`: one turn, whole items, nothing to answer. */
export function execRecord(state: DialogueState, record: JsonRecord): Effect[] {
  switch (record.type) {
    case 'thread.started':
      return sessionOpened(state.options, asString(record.thread_id) ?? '')
    case 'turn.started':
      state.settled = false
      state.turnOpen = true
      return [{ emit: { type: 'turn_start' } }]
    case 'item.started':
      return started(state, asRecord(record.item) ?? {})
    case 'item.updated':
      return updated(state, asRecord(record.item) ?? {})
    case 'item.completed':
      return completed(state, asRecord(record.item) ?? {})
    case 'turn.completed':
      return turnCompleted(state, record)
    case 'turn.failed':
      return turnFailed(state, record)
    case 'error':
      return errorNotice(state, asString(record.message) ?? '')
    default:
      return [{ unrecognized: asString(record.type) ?? 'record' }]
  }
}

function started(state: DialogueState, item: JsonRecord): Effect[] {
  return itemType(item) === 'todoList'
    ? planUpdated(state, { items: item.items })
    : itemStarted(state, state.items, item)
}

/** Only the plan changes while it is open. */
function updated(state: DialogueState, item: JsonRecord): Effect[] {
  return itemType(item) === 'todoList' ? planUpdated(state, { items: item.items }) : NO_EFFECTS
}

function completed(state: DialogueState, item: JsonRecord): Effect[] {
  const type = itemType(item)
  // Reported again at the end of the turn, as it was.
  if (type === 'todoList' && state.planCount > 0) return NO_EFFECTS
  if (type === 'error') return codexWarning(asString(item.message) ?? '')
  state.networkWaits = 0
  const effects = itemCompleted(state, state.items, item)
  const capability = type === 'agentMessage' ? 'text' : type === 'reasoning' ? 'thinking' : null
  if (capability === null || state.reportedFallbacks.has(capability)) return effects
  state.reportedFallbacks.add(capability)
  const reason = 'codex exec tells whole items only'
  return [{ emit: { type: 'stream_fallback', capability, reason } }, ...effects]
}

function turnCompleted(state: DialogueState, record: JsonRecord): Effect[] {
  forgetTurn(state)
  return [
    ...turnUsage(state, record),
    ...structuredOutput(state.options, state.items.lastMessage),
    { emit: { type: 'turn_end' } },
  ]
}

/** On resume and fork exec reports the usage of the whole thread: better none than a wrong one. */
function turnUsage({ options }: DialogueState, record: JsonRecord): Effect[] {
  const usage = asRecord(record.usage)
  if (!usage) return NO_EFFECTS
  if (continuesSession(options)) {
    return [warning('Usage is unknown: codex exec tells only the sum over all turns of a resumed thread.')]
  }
  return [{ emit: { type: 'token_usage', ...readCounts(usage), model: options.model } }]
}

function turnFailed(state: DialogueState, record: JsonRecord): Effect[] {
  forgetTurn(state)
  const message = asString(asRecord(record.error)?.message) ?? state.lastError ?? 'The turn failed.'
  return [...turnFailure(message), { emit: { type: 'turn_end' } }]
}

/** Besides retries, the message that `turn.failed` repeats. */
function errorNotice(state: DialogueState, message: string): Effect[] {
  const retry = retryNotice(state, message)
  if (retry === null) {
    state.lastError = message
    return NO_EFFECTS
  }
  if (!retry.some((effect) => 'fail' in effect)) return retry
  forgetTurn(state)
  return [...retry, { emit: { type: 'turn_end' } }]
}
