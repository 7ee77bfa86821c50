import type { Effect } from '../../../contract/dialogue.ts'
import { NO_EFFECTS, writeLine } from '../../../core/effects.ts'
import { asRecord, type JsonRecord, textOf } from '../../../core/json.ts'
import { type DialogueState, forgetTurn } from './state.ts'

/** One line of stdin that begins a turn, or adds to the running one. */
export function userMessage(content: string | object[]): Effect {
  return writeLine({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '' })
}

/** A turn of its own. The CLI would take it into the running one, so it waits for that one's end. */
export function userTurn(state: DialogueState, text: string): Effect[] {
  if (state.busy) {
    state.queued.push(text)
    return NO_EFFECTS
  }
  return begin(state, text)
}

/**
 * A message into the running turn. The CLI takes it up after the next tool call or, when there is none, makes it the
 * next turn by itself. It echoes each message when it takes it up; that is how we know which of the two happened.
 */
export function steer(state: DialogueState, text: string): Effect[] {
  if (!state.busy || state.dialect.midTurn === 'queued') return userTurn(state, text)
  if (!state.begun) {
    state.early.push(text)
    return NO_EFFECTS
  }
  state.steers.push(text)
  return [userMessage(text)]
}

function begin(state: DialogueState, text: string): Effect[] {
  state.busy = true
  return [userMessage(text)]
}

/** The `init` record of a turn. */
export function turnStarted(state: DialogueState): void {
  // A turn that nobody sent: the CLI has taken up all that was left over from the last one.
  if (!state.busy || state.leftOver) state.steers = []
  state.leftOver = false
  state.busy = true
  state.begun = false
}

/** A message of ours came back. The first one of a turn began it. */
export function messageTaken(state: DialogueState, record: JsonRecord): Effect[] {
  const text = textOf(asRecord(record.message)?.content)
  if (text.startsWith('<local-command')) return NO_EFFECTS
  if (!state.begun) {
    state.begun = true
    return state.early.splice(0).flatMap((early) => steer(state, early))
  }
  const left = state.steers.filter((sent) => !text.includes(sent.trim()))
  state.steers = left.length < state.steers.length ? left : []
  return NO_EFFECTS
}

/** After a result: what was sent and has not run yet, else the end if that was asked for. */
export function turnEnded(state: DialogueState): Effect[] {
  forgetTurn(state)
  state.queued.unshift(...state.early.splice(0))
  if (state.steers.length > 0) {
    state.leftOver = true
    state.busy = true
    return NO_EFFECTS
  }
  const text = state.queued.shift()
  if (text !== undefined) return begin(state, text)
  return state.closing ? [{ closeStdin: true }] : NO_EFFECTS
}
