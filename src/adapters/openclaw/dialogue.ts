import type { Dialogue, Effect } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { type JsonRecord, parseRecord } from '../../core/json.ts'
import { endWithoutResult, oneWayStart } from '../../core/one-way.ts'
import { documentEffects } from './document.ts'
import { logEffects } from './log.ts'
import { type DialogueState, initialState } from './state.ts'

const AGENT = { displayName: 'OpenClaw' }

/** One turn: a log on stderr while it lasts, and one document over many lines on stdout at its end. */
export function createDialogue(options: RunOptions): Dialogue {
  const state = initialState(options)
  return {
    start: () => oneWayStart(AGENT, options),
    onLine: (line, source) => (source === 'stderr' ? logEffects(state, line) : outputLine(state, line)),
    onCommand: () => null,
    onExit: (exit) => (state.settled ? NO_EFFECTS : endWithoutResult(AGENT, exit)),
  }
}

/** Inside the document all lines are indented: one that is not begins it or ends it. */
function outputLine(state: DialogueState, line: string): Effect[] {
  const begins = line.startsWith('{')
  if (!begins && state.document.length === 0) return line.trim() === '' ? NO_EFFECTS : [{ unrecognized: 'text' }]
  const lost: Effect[] = begins && state.document.length > 0 ? [{ unrecognized: 'text' }] : NO_EFFECTS
  if (begins) state.document = []
  state.document.push(line)
  if (!line.endsWith('}') || (!begins && line.trimEnd() !== '}')) return lost
  const document = wholeDocument(state)
  return document ? [...lost, ...documentEffects(state, document)] : lost
}

function wholeDocument(state: DialogueState): JsonRecord | null {
  const document = parseRecord(state.document.join('\n'))
  if (document) state.document = []
  return document
}
