import type { Effect } from '../../../contract/dialogue.ts'
import { NO_EFFECTS, warning, withdrawResponse } from '../../../core/effects.ts'
import { failTurn } from '../../../core/failures.ts'
import { asNumber, asRecord, asString, type JsonRecord, textOf } from '../../../core/json.ts'
import { readFailure } from './failure.ts'
import { type DialogueState, forgetTurn } from './state.ts'
import { nothingFollows } from './turns.ts'
import { usageEffects } from './usage.ts'

export function retryStarted(state: DialogueState, record: JsonRecord): Effect[] {
  const { dialect } = state
  const cause = readFailure(asString(record.errorMessage) ?? '')
  const attempt = asNumber(record.attempt) ?? 0
  const delayMs = Math.round(asNumber(record.delayMs) ?? 0)
  state.retrying = cause
  state.failure = null
  state.unsettled = false
  const maxAttempts = asNumber(record.maxAttempts) ?? 0
  const reason = cause.message
  const effects: Effect[] = [
    // The message that failed was ended like any other.
    withdrawResponse(reason, attempt),
    { emit: { type: 'retry', attempt, maxAttempts, reason, delayMs } },
  ]
  if (cause.kind === 'rate_limit') effects.push({ emit: { type: 'rate_limited', retryAfterMs: delayMs } })
  if (dialect.maxRetries === undefined || attempt <= dialect.maxRetries) return effects
  forgetTurn(state)
  state.gaveUp = true
  effects.push(...failTurn(cause.kind, { message: cause.message, guidance: dialect.guidance, endNow: true }))
  effects.push({ emit: { type: 'turn_end' } })
  return effects
}

export function retryEnded(state: DialogueState, record: JsonRecord): Effect[] {
  if (record.success === true) {
    state.retrying = null
    return NO_EFFECTS
  }
  state.failure ??= readFailure(asString(record.finalError) ?? '')
  return nothingFollows(state)
}

export function compactionStarted(state: DialogueState): Effect[] {
  state.compacting = true
  return NO_EFFECTS
}

export function compactionEnded(state: DialogueState, record: JsonRecord): Effect[] {
  state.compacting = false
  const effects: Effect[] = []
  const result = asRecord(record.result)
  if (result) {
    const saved = (asNumber(result.tokensBefore) ?? 0) - (asNumber(result.estimatedTokensAfter) ?? 0)
    const summary = asString(result.summary) ?? ''
    effects.push({ emit: { type: 'context_compacted', summary, tokensSaved: Math.max(0, saved) } })
    effects.push(...usageEffects(state, result.usage, state.model))
  } else if (record.errorMessage !== undefined) {
    effects.push(warning(`The context could not be compacted: ${textOf(record.errorMessage)}`))
  }
  if (record.willRetry === true) {
    state.unsettled = false
    state.failure = null
  }
  return [...effects, ...nothingFollows(state)]
}
