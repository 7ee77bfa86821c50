import type { Effect } from '../../contract/dialogue.ts'
import type { AgentEventDraft } from '../../contract/event-drafts.ts'
import { isTerminalEvent } from '../../contract/event-guards.ts'
import { NO_EFFECTS, warning } from '../../core/effects.ts'
import { asNumber, asRecord, asString, type JsonRecord } from '../../core/json.ts'
import { readCostRecord } from '../../core/usage.ts'
import { isEventRecord } from '../kit/event-record.ts'
import { refusedTurn } from './exit.ts'
import type { DialogueState } from './state.ts'

/** One line from the other side. What was held goes first, in one breath with what may settle it. */
export function received(state: DialogueState, record: JsonRecord): Effect[] {
  const { held } = state
  if (held.length === 0) return recordEffects(state, record)
  state.held = []
  return [...held, ...recordEffects(state, record)]
}

function recordEffects(state: DialogueState, record: JsonRecord): Effect[] {
  if (isEventRecord(record)) return eventEffects(state, record)
  switch (record.type) {
    case 'run_result':
      return resultEffects(state, record)
    case 'run_waiting':
      return NO_EFFECTS
    case 'run_refused':
      return refusedCommand(asString(record.command) ?? '', asRecord(record.error) ?? {})
  }
  if (record.ok !== false) return [{ unrecognized: asString(record.type) ?? 'record' }]
  state.refusal = asRecord(record.error) ?? {}
  return [{ closeStdin: true }]
}

function eventEffects(state: DialogueState, event: AgentEventDraft): Effect[] {
  switch (event.type) {
    case 'approval_request':
    case 'input_required':
      state.held = [{ emit: event }]
      return NO_EFFECTS
    case 'approval_granted':
    case 'approval_denied':
      return state.answered.delete(event.interactionId) ? NO_EFFECTS : [{ emit: event }]
    case 'turn_start':
      state.queuedTurns = Math.max(0, state.queuedTurns - 1)
      break
    case 'cost':
      // An estimate over there would be reported twice: this side makes the same one from the tokens.
      if (event.cost.source === 'price-table') return NO_EFFECTS
      state.reportedCost = true
  }
  if (!isTerminalEvent(event)) return [{ emit: event }]
  state.terminal ??= event
  return NO_EFFECTS
}

/** The facts that no event reports. How the run has ended is said when its process has. */
function resultEffects(state: DialogueState, result: JsonRecord): Effect[] {
  state.result = result
  const effects: Effect[] = [{ closeStdin: true }]
  const model = asString(result.model)
  const cost = state.reportedCost ? null : readCostRecord(result.cost)
  if (model !== undefined) effects.push({ model })
  if (cost) effects.push({ emit: { type: 'cost', cost: { ...cost, source: 'price-table' } } })
  if (result.structuredOutput !== undefined) effects.push({ structuredOutput: result.structuredOutput })
  for (const [name, count] of Object.entries(asRecord(result.unrecognized) ?? {})) {
    for (let i = 0; i < Math.min(asNumber(count) ?? 0, 100); i++) effects.push({ unrecognized: name })
  }
  return effects
}

/** A turn that cannot be sent is waited for by the caller; any other command has just had no effect. */
function refusedCommand(command: string, error: JsonRecord): Effect[] {
  return command === 'user_turn' ? refusedTurn(error) : [warning(`${command}: ${asString(error.message) ?? 'refused'}`)]
}
