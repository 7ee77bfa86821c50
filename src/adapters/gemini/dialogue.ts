import type { Dialogue, DialogueExit } from '../../contract/dialogue.ts'
import type { StreamSource } from '../../contract/events.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { acpDialogue } from '../families/acp/dialogue.ts'
import { eitherWire } from '../families/acp/either-wire.ts'
import { promptNamingFiles } from '../kit/mention.ts'
import { oneWayStart } from '../kit/one-way.ts'
import { recordReader } from '../kit/record-reader.ts'
import { usesStream } from './args.ts'
import { exitEffects, retryLine } from './errors.ts'
import { profile } from './profile.ts'
import { usesSystemBlock } from './prompt.ts'
import { createState, type DialogueState } from './state.ts'
import { streamRecord, textLine } from './stream.ts'

function streamDialogue(state: DialogueState): Dialogue {
  const recordLine = recordReader((record) => streamRecord(state, record))
  return {
    start: () => oneWayStart(protocolOptions(state.options)),
    onLine: (line) => textLine(line) ?? recordLine(line),
    onCommand: () => null,
    onExit: (exit: DialogueExit) => exitEffects(state, exit),
  }
}

/** Beside a link to a file the CLI drops the images of a prompt (0.61), so the file is named in words. */
function withoutLinks(options: RunOptions): RunOptions {
  const data = options.attachments?.filter(({ base64 }) => base64 !== undefined) ?? []
  if (data.length === 0) return options
  return { ...options, prompt: promptNamingFiles(options), attachments: data }
}

/** What travels on the command line or in the settings must not be asked for again by the protocol. */
function protocolOptions(options: RunOptions): RunOptions {
  const systemPrompt = usesSystemBlock(options) ? options.systemPrompt : undefined
  return { ...withoutLinks(options), addDirs: undefined, thinkingEffort: undefined, systemPrompt }
}

/** Speaks both wires of the Gemini CLI: ACP, and the one-way records of a one-shot run. */
export function createDialogue(options: RunOptions): Dialogue {
  const state = createState(options)
  const dialogue = eitherWire({
    usesAcp: !usesStream(options),
    acp: acpDialogue('gemini', profile)(protocolOptions(options)),
    stream: streamDialogue(state),
  })
  return {
    ...dialogue,
    onLine: (line: string, source: StreamSource) =>
      source === 'stderr' ? retryLine(state, line) : dialogue.onLine(line, source),
  }
}
