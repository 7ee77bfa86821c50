import type { Effect } from '../../contract/dialogue.ts'
import { decideFailure } from '../../core/failure-codes.ts'
import { type FailureDetail, type FailureKind, failTurn } from '../../core/failures.ts'
import { asNumber, asRecord, asString, isRecord, parseRecord } from '../../core/json.ts'
import type { DialogueState } from './state.ts'

export const GUIDANCE = 'Run `codex login`, or set CODEX_API_KEY. OPENAI_API_KEY in the environment is not used.'

const KIND_BY_CODE: ReadonlyMap<unknown, FailureKind> = new Map<string, FailureKind>([
  ['contextWindowExceeded', 'context'],
  ['sessionBudgetExceeded', 'budget'],
  ['usageLimitExceeded', 'quota'],
  ['rateLimitExceeded', 'rate_limit'],
  ['flexUnavailable', 'overloaded'],
  ['serverOverloaded', 'overloaded'],
  ['policyCapacityUnavailable', 'overloaded'],
  ['modelNotFound', 'model_not_found'],
  ['cyberPolicy', 'refusal'],
  ['misalignmentPolicyViolation', 'refusal'],
  ['internalServerError', 'server'],
  ['unauthorized', 'auth'],
])

/** The provider's own words where codex hands on its whole answer as JSON. */
function plainMessage(message: string): string {
  const inner = asRecord(parseRecord(message)?.error)
  return asString(inner?.message) ?? message
}

const STATUS = /(?:unexpected|last) status:? (\d{3})\b/

/** Codex names the status in words; the address is left out, since a path may look like one. */
function kindOfMessage(message: string): FailureKind {
  const text = message.replace(/,? ?url: \S+/g, '')
  if (/content_filter/.test(text)) return 'refusal'
  const status = STATUS.exec(text)?.[1]
  return decideFailure({ status: status === undefined ? undefined : Number(status), words: text })
}

/** `codexErrorInfo` of the app server: a word, or an object with one key and the HTTP status in it. */
function kindOfInfo(info: unknown, message: string): FailureKind {
  const byCode = KIND_BY_CODE.get(info)
  if (byCode !== undefined) return byCode
  const fromMessage = kindOfMessage(message)
  if (info === 'badRequest' && fromMessage === 'unknown') return 'invalid_request'
  if (!isRecord(info)) return fromMessage
  if (fromMessage === 'refusal') return fromMessage
  const status = statusOf(info)
  if (status !== undefined) return decideFailure({ status, words: message })
  return fromMessage === 'unknown' ? 'network' : fromMessage
}

/** The HTTP status in a `codexErrorInfo`, where it holds one. */
function statusOf(info: unknown): number | undefined {
  if (!isRecord(info)) return undefined
  for (const value of Object.values(info)) {
    const status = asNumber(asRecord(value)?.httpStatusCode)
    if (status !== undefined) return status
  }
  return undefined
}

/** A failed turn, reported by exec in words, by the app server also by a code. */
export function turnFailure(message: string, info?: unknown, detail: Partial<FailureDetail> = {}): Effect[] {
  const text = plainMessage(message)
  const kind = info === undefined || info === null ? kindOfMessage(message) : kindOfInfo(info, message)
  return failTurn(kind, { message: text, guidance: kind === 'auth' ? GUIDANCE : undefined, ...detail })
}

export function isMissingSession(message: string): boolean {
  return /no rollout found|invalid session id|thread not found/i.test(message)
}

export function sessionFailure(message: string): Effect[] {
  return isMissingSession(message)
    ? failTurn('session_not_found', { message, endNow: true })
    : turnFailure(message, undefined, { endNow: true })
}

const RETRY = /^Reconnecting\.\.\. (?:(\d+)\/(\d+)|waiting for network)(?: \((.*)\))?$/s
const NETWORK_PATIENCE = 3

/**
 * A notice of a retry; null when the message is none. Codex retries a wrong key like any other error, and a dead
 * network forever. Once the model has answered, what is counted begins again.
 */
export function retryNotice(state: DialogueState, message: string, info?: unknown, details?: string): Effect[] | null {
  const match = RETRY.exec(message)
  if (!match) return null
  const reason = details ?? match[3] ?? message
  const status = statusOf(info) ?? Number(STATUS.exec(reason)?.[1] ?? 0)
  if (status === 401 || status === 403) return turnFailure(reason, info, { endNow: true })
  const isWaiting = match[1] === undefined
  if (isWaiting) state.networkWaits += 1
  const attempt = isWaiting ? state.networkWaits : Number(match[1])
  const maxAttempts = isWaiting ? NETWORK_PATIENCE : Number(match[2])
  const effects: Effect[] = [{ emit: { type: 'retry', attempt, maxAttempts, reason, delayMs: 0 } }]
  if (status === 429) effects.unshift({ emit: { type: 'rate_limited' } })
  if (state.networkWaits >= NETWORK_PATIENCE) effects.push(...failTurn('network', { message: reason, endNow: true }))
  return effects
}
