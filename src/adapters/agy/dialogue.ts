import type { Dialogue, DialogueCommand, DialogueExit, Effect } from '../../contract/dialogue.ts'
import type { StreamSource } from '../../contract/events.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { NO_EFFECTS, recordEffects } from '../../core/effects.ts'
import type { JsonRecord } from '../../core/json.ts'
import { endWithoutResult, oneWayStart } from '../../core/one-way.ts'
import { userMessage, userRecord } from './prompt.ts'
import { GUIDANCE, streamRecord } from './records.ts'
import { createState, type DialogueState } from './state.ts'

const AGENT = {
  displayName: 'Antigravity',
  guidance: GUIDANCE,
  exits: [
    { pattern: /^.*(authentication required|not signed in).*$/im, kind: 'auth' },
    { pattern: /^.*conversation.*not found.*$/im, kind: 'session_not_found' },
  ],
} as const

function start(state: DialogueState): Effect[] {
  const effects = oneWayStart(AGENT, state.options)
  state.busy = true
  return state.options.nonInteractive ? effects : [...effects, { write: userMessage(state.options) }]
}

/** A prompt may be written only once the turn before has its result. */
function nativeRecord(state: DialogueState, record: JsonRecord): Effect[] {
  const effects = streamRecord(state, record)
  if (record.event !== 'result') return effects
  const next = state.queued.shift()
  if (next !== undefined) return [...effects, ...userTurn(state, next)]
  return state.closing ? [...effects, { closeStdin: true }] : effects
}

function userTurn(state: DialogueState, text: string): Effect[] {
  state.busy = true
  return [{ emit: { type: 'turn_start' } }, { write: userRecord(text) }]
}

function command(state: DialogueState, given: DialogueCommand): Effect[] | null {
  if (state.options.nonInteractive) return null
  if (given.type === 'close') {
    state.closing = true
    return state.busy ? NO_EFFECTS : [{ closeStdin: true }]
  }
  if (given.type !== 'user_turn' && given.type !== 'steer') return null
  if (!state.busy) return userTurn(state, given.text)
  state.queued.push(given.text)
  return NO_EFFECTS
}

/** Speaks the stream of the Antigravity CLI: prompts as records in, records out. */
export function createDialogue(options: RunOptions): Dialogue {
  const state = createState(options)
  let hasBegun = false
  return {
    start: () => start(state),
    onLine(line: string, source: StreamSource): Effect[] {
      if (source === 'stderr') return NO_EFFECTS
      return recordEffects(line, (record) => {
        if (record.event === 'result') hasBegun = true
        return nativeRecord(state, record)
      })
    },
    onCommand: (given: DialogueCommand) => command(state, given),
    onExit: (exit: DialogueExit) => (hasBegun && !state.busy ? NO_EFFECTS : endWithoutResult(AGENT, exit)),
    busy: () => state.busy || state.queued.length > 0,
  }
}
