import type { Dialogue, Effect } from '../contract/dialogue.ts'
import { withoutEscapes } from '../core/stderr.ts'

export function parseError(what: string, cause: unknown): Effect {
  const message = `${what}: ${cause instanceof Error ? cause.message : cause}`
  return { emit: { type: 'error', code: 'PARSE_ERROR', message, recoverable: true } }
}

function guard<Result>(what: string, call: () => Result): Result | Effect[] {
  try {
    return call()
  } catch (error) {
    return [parseError(what, error)]
  }
}

/** Begins what a terminal takes for colours. No record and no answer does. */
const ESCAPE = 0x1b

/** A dialogue must be total. If one is not, its user keeps the run and learns what went wrong. */
export function totalDialogue(dialogue: Dialogue): Dialogue {
  return {
    start: (options) => guard('The dialogue could not be started', () => dialogue.start(options)),
    // Called for every line, so it does without the closure.
    onLine(line, source) {
      try {
        return dialogue.onLine(line.charCodeAt(0) === ESCAPE ? withoutEscapes(line) : line, source)
      } catch (error) {
        return [parseError('A line could not be interpreted', error)]
      }
    },
    onWritten: (line) => guard('A line could not be interpreted', () => dialogue.onWritten?.(line) ?? []),
    onCommand: (command) => guard('A command could not be given', () => dialogue.onCommand(command)),
    onExit: (exit) =>
      guard('The exit could not be interpreted', () =>
        dialogue.onExit({ ...exit, stderr: withoutEscapes(exit.stderr) }),
      ),
    unreportedUsage: () => guard('The usage could not be read', () => dialogue.unreportedUsage?.() ?? []),
    onHost: (requestId, result) =>
      guard('A result could not be handed on', () => dialogue.onHost?.(requestId, result) ?? []),
    onHttp: (requestId, response) =>
      guard('An answer could not be handed on', () => dialogue.onHttp?.(requestId, response) ?? []),
    busy: () => dialogue.busy?.() ?? false,
  }
}
