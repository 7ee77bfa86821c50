import type { DialogueExit, Effect } from '../contract/dialogue.ts'
import { NO_EFFECTS } from './effects.ts'
import { decideFailure, failureByCode } from './failure-codes.ts'
import { type FailureKind, failTurn } from './failures.ts'
import { tellingLine } from './stderr.ts'

export interface FailureWords {
  pattern: RegExp
  kind: FailureKind
}

/** What an agent says on stderr before it leaves without an answer. */
export interface ExitWords {
  pattern: RegExp
  /** `refused`: by the CLI itself, unless its words report a failure of the provider. */
  kind: FailureKind | 'refused'
  /** What a user can do about it, said after the agent's own words. */
  hint?: string
}

const STOPPED: ReadonlySet<number | string | null> = new Set(['SIGTERM', 'SIGINT', 130, 143])

/** The process was asked to end, by a signal or as a shell reports one. */
export function wasStopped({ signal, exitCode }: DialogueExit): boolean {
  return STOPPED.has(signal) || STOPPED.has(exitCode)
}

/** A command line that was refused, in the words of the usual parsers of command lines. */
const USAGE: readonly ExitWords[] = [
  {
    pattern:
      /^\W*(?:error:? *)?(?:unknown|unrecogni[sz]ed|unexpected|invalid) (?:option|argument|flag|command|value)s?\b.*$/im,
    kind: 'invalid_request',
  },
  {
    pattern:
      /^.*\b(?:must provide a (?:message|prompt)|prompt is required|requires a prompt|no (?:prompt|input) provided|requires a TTY).*$/im,
    kind: 'invalid_request',
  },
]
const USAGE_EXIT_CODES: ReadonlySet<number | null> = new Set([1, 2, 64])
const HELP = /^(?:Options|Positionals|Usage):/m

/** Words that a pattern takes for one of these may belong to an answer of the provider, which has a code or a status. */
const BY_WORDS: ReadonlySet<string> = new Set(['auth', 'rate_limit', 'network', 'invalid_request'])

function kindOf(kind: ExitWords['kind'], words: string): FailureKind {
  if (kind !== 'refused') return (BY_WORDS.has(kind) ? failureByCode({ words }) : undefined) ?? kind
  const decided = decideFailure({ words })
  return decided === 'unknown' ? 'invalid_request' : decided
}

/** An answer of the provider as the last line: only one with a code or a status. */
function handedOnFailure(exit: DialogueExit, guidance?: string): Effect[] {
  if (exit.exitCode === null || exit.exitCode === 0 || wasStopped(exit)) return NO_EFFECTS
  const message = tellingLine(exit.stderr)
  const kind = failureByCode({ words: message })
  return kind === undefined ? NO_EFFECTS : failTurn(kind, { message, guidance })
}

/** Why a process exited without an answer, as far as its stderr says. Nothing: it does not. */
export function exitFailure(exit: DialogueExit, words: readonly ExitWords[], guidance?: string): Effect[] {
  const { stderr } = exit
  for (const { pattern, kind, hint } of USAGE_EXIT_CODES.has(exit.exitCode) ? [...words, ...USAGE] : words) {
    const message = pattern.exec(stderr)?.[0].trim()
    if (message !== undefined) return failTurn(kindOf(kind, message), { message: message + (hint ?? ''), guidance })
  }
  const handedOn = handedOnFailure(exit, guidance)
  if (handedOn.length > 0) return handedOn
  if (!USAGE_EXIT_CODES.has(exit.exitCode) || !HELP.test(stderr)) return NO_EFFECTS
  const [title = ''] = stderr.trimStart().split('\n', 1)
  return failTurn('invalid_request', { message: `It printed its help instead of running: ${title.trim()}` })
}
