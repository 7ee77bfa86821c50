import type { Dialogue, DialogueExit, Effect } from '../../contract/dialogue.ts'
import type { StreamSource } from '../../contract/events.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { ignoredOptions, NO_EFFECTS, recordEffects, warning } from '../../core/effects.ts'
import { SYSTEM_BLOCK_WARNING } from '../../core/prompt.ts'
import { acpDialogue } from '../acp/dialogue.ts'
import { eitherWire } from '../acp/either-wire.ts'
import { usesStream } from './args.ts'
import { exitEffects } from './errors.ts'
import { profile } from './profile.ts'
import { createState, type DialogueState } from './state.ts'
import { streamRecord } from './stream.ts'

function start({ options }: DialogueState): Effect[] {
  const effects = [...ignoredOptions('Copilot', options)]
  if (options.systemPrompt !== undefined) effects.push(warning(SYSTEM_BLOCK_WARNING))
  return effects
}

function streamDialogue(options: RunOptions): Dialogue {
  const state = createState(options)
  return {
    start: () => start(state),
    onLine(line: string, source: StreamSource): Effect[] {
      return source === 'stderr' ? NO_EFFECTS : recordEffects(line, (record) => streamRecord(state, record))
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
  return eitherWire({
    usesAcp: !usesStream(options),
    acp: acpDialogue('copilot', profile)(protocolOptions(options)),
    stream: streamDialogue(options),
  })
}
