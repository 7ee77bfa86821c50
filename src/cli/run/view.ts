import { serializeEvent } from '../../contract/event-guards.ts'
import type { AgentEvent } from '../../contract/events.ts'
import type { RunResult } from '../../contract/run-handle.ts'
import type { Output } from '../output.ts'

/** What becomes of the events and the result of a run. */
export interface RunView {
  event(event: AgentEvent): Promise<void> | void
  /** Somebody is about to be asked something: leave the cursor at the start of a line. */
  pause(): void
  finish(result: RunResult): Promise<void> | void
}

/** The answer as a user of the result wants it: structured when a schema was given. */
export function answerOf({ structuredOutput, text }: RunResult): string {
  return structuredOutput === undefined ? text : JSON.stringify(structuredOutput, null, 2)
}

/** One event a line, and the result as the last line. */
export function eventLines(output: Output): RunView {
  return {
    event: (event) => output.writeLine(serializeEvent(event)),
    pause() {},
    finish: (result) => output.writeLine(JSON.stringify({ type: 'run_result', ...result })),
  }
}

/** Only the result, in the envelope of every other command. */
export function resultOnly(output: Output): RunView {
  return {
    event() {},
    pause() {},
    finish: (result) => output.writeLine(JSON.stringify({ ok: true, data: result })),
  }
}

/** The answer on stdout; a run that did not complete says so on stderr. */
export function answerOnly(output: Output): RunView {
  return {
    event() {},
    pause() {},
    finish(result) {
      const answer = answerOf(result)
      if (answer !== '') output.write(`${answer}\n`)
      const { kind, evidence } = result.outcome
      if (kind !== 'completed') output.note(`amux: ${kind}${evidence ? `: ${evidence}` : ''}`)
    },
  }
}
