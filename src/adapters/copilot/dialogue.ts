import type { Dialogue, DialogueExit, Effect } from '../../contract/dialogue.ts'
import type { StreamSource } from '../../contract/events.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { NO_EFFECTS, recordEffects } from '../../core/effects.ts'
import { acpDialogue } from '../families/acp/dialogue.ts'
import { eitherWire } from '../families/acp/either-wire.ts'
import { oneWayStart } from '../kit/one-way.ts'
import { usesStream } from './args.ts'
import { exitEffects } from './errors.ts'
import { logReader } from './log.ts'
import { profile } from './profile.ts'
import { createState } from './state.ts'
import { streamRecord, textRecord } from './stream.ts'

function streamDialogue(options: RunOptions): Dialogue {
  const state = createState(options)
  return {
    start: () => oneWayStart(options),
    onLine(line: string, source: StreamSource): Effect[] {
      if (source === 'stderr') return NO_EFFECTS
      const text = textRecord(line)
      return text ? streamRecord(state, text) : recordEffects(line, (record) => streamRecord(state, record))
    },
    onCommand: () => null,
    onExit: (exit: DialogueExit) => exitEffects(state, exit),
  }
}

/** What travels on the command line must not be asked for again by the protocol. */
function protocolOptions(options: RunOptions): RunOptions {
  return { ...options, addDirs: undefined, thinkingEffort: undefined }
}

/** Speaks both wires of the Copilot CLI: ACP, and the one-way records of a one-shot run. */
export function createDialogue(options: RunOptions): Dialogue {
  const acp = acpDialogue('copilot', profile)(protocolOptions(options))
  const readLog = logReader()
  // It is read a little late: what it says of a turn that is over was the last try.
  const logLine = (line: string) => (acp.busy?.() ? readLog(line) : NO_EFFECTS)
  return eitherWire({
    usesAcp: !usesStream(options),
    acp: { ...acp, onLine: (line, source) => (source === 'stderr' ? logLine(line) : acp.onLine(line, source)) },
    stream: streamDialogue(options),
  })
}
