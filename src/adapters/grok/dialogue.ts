import type { Dialogue, DialogueExit, Effect } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { asNumber, asRecord, asString, type JsonRecord, parseRecord, textOf } from '../../core/json.ts'
import { promptWithSchema } from '../../core/output-schema.ts'
import { acpDialogue } from '../families/acp/dialogue.ts'
import { eitherWire } from '../families/acp/either-wire.ts'
import { recordReader } from '../kit/record-reader.ts'
import { usesStream } from './args.ts'
import { messagesDialogue } from './messages.ts'
import { profile } from './profile.ts'
import { withQuestions } from './questions.ts'
import { createState, type DialogueState } from './state.ts'
import { exitEffects, streamRecord, textLine } from './stream.ts'
import { withSubagents } from './subagents.ts'

/** The records of Claude's shape; `streaming-json` has none of these types. */
const MESSAGE_TYPES: ReadonlySet<unknown> = new Set(['system', 'assistant', 'user', 'result', 'stream_event'])

/** The id of the session comes last: a run that resumes knows it before. */
function start({ options }: DialogueState): Effect[] {
  const { sessionId, newSessionId, forkSessionId: forkedFrom } = options
  const known = sessionId ?? newSessionId ?? ''
  return [{ emit: { type: 'session_start', sessionId: known, resumed: sessionId !== undefined, forkedFrom } }]
}

function streamDialogue(options: RunOptions): Dialogue {
  const state = createState(options)
  const messages = messagesDialogue(options)
  let isMessages = false
  const read = recordReader((record: JsonRecord): Effect[] => {
    isMessages ||= MESSAGE_TYPES.has(record.type)
    return isMessages ? messages.onLine(JSON.stringify(record), 'stdout') : streamRecord(state, record)
  })
  return {
    start: () => start(state),
    onLine: (line, source) => (source === 'stderr' ? NO_EFFECTS : (textLine(state, line) ?? read(line))),
    onCommand: () => null,
    onExit: (exit: DialogueExit) => (isMessages ? messages.onExit(exit) : exitEffects(state, exit)),
  }
}

/** The vendor's own notice of another try. */
function retryNotice(line: string): Effect[] {
  if (!line.includes('"retry_state"')) return NO_EFFECTS
  const update = asRecord(asRecord(parseRecord(line)?.params)?.update) ?? {}
  if (update.sessionUpdate !== 'retry_state' || update.type !== 'retrying') return NO_EFFECTS
  const attempt = asNumber(update.attempt) ?? 0
  const maxAttempts = asNumber(update.max_retries) ?? 0
  const reason = asString(update.reason) ?? textOf(update.message)
  return [{ emit: { type: 'retry', attempt, maxAttempts, reason, delayMs: asNumber(update.delay_ms) ?? 0 } }]
}

/** Speaks the wires of Grok: ACP, which has no place for a schema, and the one-way records of its two streams. */
export function createDialogue(options: RunOptions): Dialogue {
  const dialogue = eitherWire({
    usesAcp: !usesStream(options),
    acp: withSubagents(withQuestions(acpDialogue('grok', profile)({ ...options, prompt: promptWithSchema(options) }))),
    stream: streamDialogue(options),
  })
  return {
    ...dialogue,
    onLine(line, source) {
      const notice = retryNotice(line)
      const effects = dialogue.onLine(line, source)
      return notice.length === 0 ? effects : [...notice, ...effects]
    },
  }
}
