import type { Dialogue, DialogueExit, Effect } from '../../contract/dialogue.ts'
import type { StreamSource } from '../../contract/events.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { NO_EFFECTS, recordEffects, warning } from '../../core/effects.ts'
import { type ExitWords, exitFailure, wasStopped } from '../../core/exit.ts'
import { decideFailure } from '../../core/failure-codes.ts'
import { failTurn } from '../../core/failures.ts'
import type { JsonRecord } from '../../core/json.ts'
import { SYSTEM_BLOCK_WARNING } from './prompt.ts'

interface OneWayAgent {
  displayName: string
  /** What to do without credentials. */
  guidance?: string
  exitWords?: readonly ExitWords[]
}

/** What a run that cannot be talked to has to say at its start. */
export function oneWayStart({ systemPrompt }: RunOptions): Effect[] {
  return systemPrompt === undefined ? NO_EFFECTS : [warning(SYSTEM_BLOCK_WARNING)]
}

/** The verdict on a process that ended without a result. Nothing: the engine calls it a crash. */
export function endWithoutResult({ displayName, guidance, exitWords = [] }: OneWayAgent, exit: DialogueExit): Effect[] {
  const reported = exitFailure(exit, exitWords, guidance)
  if (reported.length > 0) return reported
  if (wasStopped(exit)) return failTurn('cancelled', { message: `${displayName} was asked to end.` })
  if (exit.exitCode === 0) {
    return failTurn('protocol_drift', { message: `${displayName} ended without a result for the turn.` })
  }
  return NO_EFFECTS
}

interface OneWayStream extends OneWayAgent {
  options: RunOptions
  record(record: JsonRecord): Effect[]
  /** The turn has its verdict: however the process exits now, that is kept. */
  isSettled(): boolean
}

/** One turn of an agent that only prints records: nothing can be said to it once it runs. */
export function oneWayStream(stream: OneWayStream): Dialogue {
  return {
    start: () => oneWayStart(stream.options),
    onLine(line: string, source: StreamSource): Effect[] {
      return source === 'stderr' ? NO_EFFECTS : recordEffects(line, (record) => stream.record(record))
    },
    onCommand: () => null,
    onExit: (exit: DialogueExit) => (stream.isSettled() ? NO_EFFECTS : endWithoutResult(stream, exit)),
  }
}

interface PlainText extends OneWayAgent {
  options: RunOptions
  /** Lines of stdout that are not part of the answer. */
  noise?: RegExp
  /** A line of stdout that reports a failure which the exit code hides. */
  errorLine?: RegExp
}

/**
 * One turn of an agent that prints its answer and nothing else: no calls of tools, no counts, no session. Its words may
 * be followed by silent work and by more words, so none of them is a sign of the end (`mayBeOver`): such agents are
 * started with a limit of silence.
 */
export function plainText(agent: PlainText): Dialogue {
  // Blank lines wait for the next word: before the first and after the last there are none.
  let blank = ''
  let started = false
  let error: string | undefined
  return {
    start: () => oneWayStart(agent.options),
    onLine(line: string, source: StreamSource): Effect[] {
      if (source === 'stderr' || agent.noise?.test(line)) return NO_EFFECTS
      if (agent.errorLine?.test(line)) error ??= line
      if (line.trim() === '') {
        blank += '\n'
        return NO_EFFECTS
      }
      const delta = started ? `\n${blank}${line}` : line
      started = true
      blank = ''
      return [{ emit: { type: 'text_delta', delta } }]
    },
    onCommand: () => null,
    onExit(exit: DialogueExit): Effect[] {
      const turnEnd: Effect = { emit: { type: 'turn_end' } }
      if (exit.exitCode === 0 && error === undefined) {
        const message = `${agent.displayName} ended without an answer.`
        return started ? [turnEnd] : [...failTurn('unknown', { message }), turnEnd]
      }
      if (error !== undefined) {
        const kind = decideFailure({ words: error })
        return [...failTurn(kind, { message: error, guidance: kind === 'auth' ? agent.guidance : undefined }), turnEnd]
      }
      return endWithoutResult(agent, exit)
    },
  }
}

/** A prompt as the last word of a command line; one that begins with a dash would be taken for a flag. */
export function positionalPrompt(prompt: string): string {
  return prompt.startsWith('-') ? `\n${prompt}` : prompt
}
