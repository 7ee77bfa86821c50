import type { DialogueExit, Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS, warning } from '../../core/effects.ts'
import { type ExitWords, exitFailure, type FailureWords, wasStopped } from '../../core/exit.ts'
import { failureByCode, saysSpent } from '../../core/failure-codes.ts'
import { classifyFailure, type FailureKind, failTurn } from '../../core/failures.ts'
import { asNumber, asRecord, asString, type JsonRecord, parseRecord } from '../../core/json.ts'
import { tellingLine } from '../../core/stderr.ts'
import { usesStream } from './args.ts'
import type { DialogueState } from './state.ts'

export const GUIDANCE = 'Set GEMINI_API_KEY, or run `gemini` once and sign in.'

const API_ERROR = /^\[API Error: ([\s\S]*?)\](?:\n[\s\S]*)?$/
const BLOCKED = /safety|blocked|prohibited|recitation/i

/** The provider's own words, without what the CLI puts around them, and its status where that is reported. */
function apiError(message: string): { text: string; whole: string; status?: number } {
  const whole = API_ERROR.exec(message)?.[1] ?? message
  const error = asRecord(parseRecord(whole)?.error)
  return { text: asString(error?.message) ?? whole, whole, status: asNumber(error?.code) }
}

/** No answer, whatever the CLI advises to do about it. */
const NO_ANSWER = /^The model returned (?:an empty response|reasoning thoughts)/

function kindOf(text: string, whole = text, status?: number): FailureKind {
  if (NO_ANSWER.test(text)) return 'unknown'
  const byCode = failureByCode({ status, words: whole })
  if (byCode === 'invalid_request' && BLOCKED.test(text)) return 'refusal'
  if (byCode !== undefined) return byCode
  const fromText = classifyFailure(text)
  // The CLI speaks of a quota with every limit, so that only the words for a spent one count.
  if (fromText === 'quota') return saysSpent(text) ? 'quota' : 'rate_limit'
  return fromText === 'unknown' && BLOCKED.test(text) ? 'refusal' : fromText
}

/** The names of the CLI's own errors. */
const KIND_BY_TYPE: ReadonlyMap<string, FailureKind> = new Map([
  ['FatalTurnLimitedError', 'turn_limit'],
  ['FatalCancellationError', 'cancelled'],
  ['FatalAuthenticationError', 'auth'],
  ['FatalInputError', 'invalid_request'],
  ['FatalConfigError', 'invalid_request'],
  ['FatalSandboxError', 'invalid_request'],
  ['FatalUntrustedWorkspaceError', 'invalid_request'],
  ['TerminalQuotaError', 'quota'],
  ['RetryableQuotaError', 'rate_limit'],
  ['ModelNotFoundError', 'model_not_found'],
  ['UnauthorizedError', 'auth'],
  ['ForbiddenError', 'auth'],
  ['AccountSuspendedError', 'auth'],
  ['ValidationRequiredError', 'auth'],
  ['IneligibleTierError', 'auth'],
])

export function turnFailure(type: string | undefined, message: string): Effect[] {
  const { text, whole, status } = apiError(message)
  const kind = KIND_BY_TYPE.get(type ?? '') ?? kindOf(text, whole, status)
  return failTurn(kind, { message: text, guidance: GUIDANCE })
}

/** After these warnings the CLI stops, and calls that a success. */
const STOPPED: readonly FailureWords[] = [
  { pattern: /^Loop detected, stopping execution/, kind: 'unknown' },
  { pattern: /^Maximum session turns exceeded/, kind: 'turn_limit' },
]

/** A warning of the CLI, or the cause of a failure that the result will tell without one. */
export function errorRecord(state: DialogueState, record: JsonRecord): Effect[] {
  const message = asString(record.message) ?? ''
  if (record.severity === 'error') state.lastError = message
  state.stopped ??= STOPPED.find(({ pattern }) => pattern.test(message)) && message
  return [warning(message)]
}

/** The verdict of a result. */
export function resultFailure({ lastError, stopped }: DialogueState, record: JsonRecord): Effect[] {
  const error = asRecord(record.error)
  if (record.status === 'error' || error) {
    return turnFailure(asString(error?.type), asString(error?.message) ?? lastError ?? 'The turn failed.')
  }
  const kind = STOPPED.find(({ pattern }) => pattern.test(stopped ?? ''))?.kind
  return kind === undefined ? NO_EFFECTS : failTurn(kind, { message: stopped ?? '' })
}

const SERVER_WORDS = /"message": ?"((?:[^"\\]|\\.)+)"/

/** A server that fails says why. The words of a limit are no news, and their status decides. */
function reasonOf(status: string, words = ''): string {
  const said = Number(status) >= 500 ? SERVER_WORDS.exec(words)?.[1] : undefined
  return said === undefined ? `status ${status}` : `status ${status}: ${said}`
}

const FAILED_ATTEMPT = /^(\[\S+\] \[[A-Z]+\] )?Attempt (\d+) failed(?: with status (\d+))?[.:]? ?(.*)$/
const RETRY = /Retrying (?:after (\d+)ms|with backoff)/
const MAX_ATTEMPTS = 10

/**
 * A line of the log: the only place where the CLI reports that it tries again. The notice may take two lines. The live
 * form prints it on stderr as well when it leaves (0.61), without its time: that is long over.
 */
export function retryLine(state: DialogueState, line: string): Effect[] {
  const [, time, attempts, status, words] = FAILED_ATTEMPT.exec(line) ?? []
  if (attempts !== undefined && (time !== undefined || usesStream(state.options))) {
    state.retryCount = Number(attempts)
    state.retryReason = status === undefined ? words : reasonOf(status, words)
  }
  const again = RETRY.exec(line)
  if (!again || state.retryReason === undefined) return NO_EFFECTS
  const reason = state.retryReason
  state.retryReason = undefined
  const { retryCount: attempt } = state
  const delayMs = Number(again[1] ?? 0)
  const retry = { type: 'retry', attempt, maxAttempts: MAX_ATTEMPTS, reason, delayMs } as const
  const effects: Effect[] = usesStream(state.options) ? [{ emit: retry }] : [{ emit: retry, isLate: true }]
  if (kindOf(reason) === 'rate_limit') {
    effects.unshift({ emit: { type: 'rate_limited', retryAfterMs: delayMs || undefined } })
  }
  return effects
}

/** What the CLI says on stderr before it leaves without a result, in both of its forms. */
export const REFUSALS: readonly ExitWords[] = [
  { pattern: /Error resuming session:[^\n]*|Invalid session identifier[^\n]*/, kind: 'session_not_found' },
  { pattern: /Error importing session from file:[^\n]*/, kind: 'session_not_found' },
  { pattern: /Error starting session:[^\n]*/, kind: 'invalid_request' },
  {
    pattern: /(?:Please set an Auth method|Invalid auth method|Manual authorization is required|When using )[^\n"]*/,
    kind: 'auth',
  },
  { pattern: /Gemini CLI is not running in a trusted directory[^\n]*/, kind: 'invalid_request' },
  {
    pattern: /(?:Unknown arguments?:|Invalid values:|Not enough arguments|No input provided)[^\n]*/,
    kind: 'invalid_request',
  },
]

/** The verdict on a process that ended without a result. Nothing: the engine calls it a crash. */
export function exitEffects(state: DialogueState, exit: DialogueExit): Effect[] {
  if (state.settled) return NO_EFFECTS
  const reported = exitFailure(exit, REFUSALS, GUIDANCE)
  if (reported.length > 0) return reported
  const kind = EXIT_CODES.get(exit.exitCode ?? -1)
  if (kind !== undefined) return failTurn(kind, { message: tellingLine(exit.stderr), guidance: GUIDANCE })
  // SIGINT and SIGTERM make it leave with 0 and without a word.
  if ((exit.exitCode === 0 && state.begun) || wasStopped(exit)) {
    return failTurn('cancelled', { message: 'gemini was asked to end before the turn had a result' })
  }
  if (exit.exitCode !== 0) return NO_EFFECTS
  return failTurn('protocol_drift', { message: 'gemini ended without a word about the turn' })
}

/** The rest of an HTTP status by 256 is the exit code of a request that failed. */
const EXIT_CODES: ReadonlyMap<number, FailureKind> = new Map([
  [41, 'auth'],
  [42, 'invalid_request'],
  [44, 'invalid_request'],
  [52, 'invalid_request'],
  [53, 'turn_limit'],
  [55, 'invalid_request'],
  [145, 'auth'],
  [147, 'auth'],
  [148, 'model_not_found'],
  [173, 'rate_limit'],
  [244, 'server'],
  [247, 'overloaded'],
])
