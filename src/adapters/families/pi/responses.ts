import type { Effect } from '../../../contract/dialogue.ts'
import { NO_EFFECTS, warning } from '../../../core/effects.ts'
import { asRecord, asString, type JsonRecord } from '../../../core/json.ts'
import { readFailure } from './failure.ts'
import { modelChanged, sessionState } from './session.ts'
import type { DialogueState } from './state.ts'
import { nothingFollows, settle } from './turns.ts'

/** The answer to a command. */
export function response(state: DialogueState, record: JsonRecord): Effect[] {
  const effects = nothingFollows(state)
  const data = asRecord(record.data) ?? {}
  if (record.success !== true) return [...effects, ...refused(state, record)]
  switch (record.command) {
    case 'get_state':
      return [...effects, ...sessionState(state, data)]
    case 'set_model':
      return [...effects, ...modelChanged(state, data)]
    case 'prompt':
      // A command of an extension has dealt with it, so no loop will begin.
      if (data.disposition !== 'handled' && data.agentInvoked !== false) return effects
      return state.turnOpen && !state.begun ? [...effects, ...settle(state)] : effects
    case 'abort':
      // Nothing ran just then: a turn that waits for a command in the background ends here.
      return state.interrupting ? [...effects, ...settle(state)] : effects
    default:
      return effects
  }
}

function refused(state: DialogueState, record: JsonRecord): Effect[] {
  const error = asString(record.error) ?? 'The command was refused.'
  // An older CLI does not know the command; then there is nothing to clear.
  if (record.command === 'clear_queue') return NO_EFFECTS
  if (record.command !== 'prompt' || state.begun) return [warning(`${asString(record.command) ?? ''}: ${error}`)]
  const { kind, message } = readFailure(error)
  state.failure = { kind: kind === 'unknown' ? 'invalid_request' : kind, message }
  return settle(state)
}
