import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS, sessionOpened } from '../../core/effects.ts'
import { decideFailure } from '../../core/failure-codes.ts'
import { asRecord, asString, type JsonRecord, textOf } from '../../core/json.ts'
import { ENDED_EARLY, toolCalled, toolResult } from './notices.ts'
import type { DialogueState } from './state.ts'
import { failure, turnEnded } from './turns.ts'

/** A record of `droid exec -o stream-json` or `-o json`: one turn, whole messages, nothing to answer. */
export function streamRecord(state: DialogueState, record: JsonRecord): Effect[] {
  switch (record.type) {
    case 'system':
      return record.subtype === 'init' ? init(state, record) : [{ unrecognized: `system/${textOf(record.subtype)}` }]
    case 'message':
      return record.role === 'assistant' ? message(textOf(record.text)) : NO_EFFECTS
    case 'reasoning':
      return thought(state, record)
    case 'tool_call':
      return toolCalled(state, asString(record.id) ?? '', asString(record.toolName) ?? '', record.parameters)
    case 'tool_result':
      return toolResult(state, asString(record.id) ?? '', resultOf(record), record.isError === true)
    case 'completion':
      state.completed = true
      return turnEnded(state, asRecord(record.usage) ?? {}, 'completed')
    case 'error':
      return error(state, textOf(record.message))
    case 'result':
      return result(state, record)
    default:
      return [{ unrecognized: asString(record.type) ?? 'record' }]
  }
}

/** What the model API reports both as a thought and as reasoning comes twice. */
function thought(state: DialogueState, { id, text }: JsonRecord): Effect[] {
  const reported = `${textOf(id)} ${textOf(text)}`
  if (reported === state.lastThought) return NO_EFFECTS
  state.lastThought = reported
  return [{ emit: { type: 'thinking_delta', delta: textOf(text) } }, { emit: { type: 'thinking_stop', thinking: '' } }]
}

function init(state: DialogueState, record: JsonRecord): Effect[] {
  state.isExec = true
  state.cwd = asString(record.cwd) ?? state.cwd
  const opened = sessionOpened(state.options, asString(record.session_id) ?? '')
  const model = asString(record.model)
  return [...opened, { emit: { type: 'turn_start' } }, ...(model === undefined ? NO_EFFECTS : [{ model }])]
}

function message(text: string): Effect[] {
  return text === '' || ENDED_EARLY.test(text)
    ? NO_EFFECTS
    : [{ emit: { type: 'text_delta', delta: text } }, { emit: { type: 'message_stop', text: '' } }]
}

function resultOf(record: JsonRecord): unknown {
  return record.value ?? asRecord(record.error)?.message ?? record.error ?? ''
}

/** The cause comes first, then "Exec failed". */
function error(state: DialogueState, reported: string): Effect[] {
  if (state.completed) return NO_EFFECTS
  state.completed = true
  // The denial was reported with its call.
  const cause = ENDED_EARLY.test(reported) ? NO_EFFECTS : failure(decideFailure({ words: reported }), reported)
  return [...cause, { emit: { type: 'turn_end' } }]
}

/** All that `-o json` prints. */
function result(state: DialogueState, record: JsonRecord): Effect[] {
  const text = textOf(record.result)
  const sessionId = asString(record.session_id) ?? ''
  state.completed = true
  const start: Effect = { emit: { type: 'session_start', sessionId, resumed: false } }
  if (record.is_error === true) {
    return [start, ...failure(decideFailure({ words: text }), text), { emit: { type: 'turn_end' } }]
  }
  return [start, ...message(text), ...turnEnded(state, asRecord(record.usage) ?? {}, 'completed')]
}
