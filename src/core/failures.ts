import type { Effect, TurnFailure } from '../contract/dialogue.ts'
import type { ErrorCode } from '../contract/errors.ts'
import { waitIn } from './limit-end.ts'

/** The ways a turn fails, named by cause. Adapters say which; this file says how each one looks to the user. */
export type FailureKind =
  | 'auth'
  | 'rate_limit'
  | 'quota'
  | 'context'
  | 'overloaded'
  | 'server'
  | 'network'
  | 'model_not_found'
  | 'session_not_found'
  | 'refusal'
  | 'invalid_request'
  | 'turn_limit'
  | 'budget'
  /** The answer does not fit its schema. */
  | 'output_invalid'
  /** A budget cannot be kept: nobody knows what the model costs. */
  | 'price'
  /** What has to be kept of the run cannot be written. */
  | 'storage'
  | 'cancelled'
  /** The agent ended in a way that its adapter does not know. */
  | 'protocol_drift'
  | 'unknown'

export interface FailureDetail {
  message: string
  guidance?: string
  retryAfterMs?: number
  resetAt?: number
  maxTurns?: number
  usedTokens?: number
  maxTokens?: number
  /** The agent would retry forever: end the process now. */
  endNow?: boolean
}

const ERROR_CODE: Partial<Record<FailureKind, ErrorCode>> = {
  rate_limit: 'RATE_LIMITED',
  quota: 'QUOTA_EXHAUSTED',
  budget: 'BUDGET_EXCEEDED',
  output_invalid: 'OUTPUT_INVALID',
  price: 'PRICE_UNKNOWN',
  storage: 'STORAGE_ERROR',
  overloaded: 'MODEL_ERROR',
  server: 'MODEL_ERROR',
  network: 'MODEL_ERROR',
  model_not_found: 'MODEL_NOT_FOUND',
  session_not_found: 'SESSION_NOT_FOUND',
  refusal: 'REFUSED',
  invalid_request: 'VALIDATION_ERROR',
  protocol_drift: 'PROTOCOL_DRIFT',
}

/** A reply that ended at the limit of tokens, which most agents take for an answer. */
export const CUT_ANSWER = 'The answer was cut: it reached the limit of tokens.'

const TRANSIENT: ReadonlySet<FailureKind> = new Set(['rate_limit', 'overloaded', 'server', 'network'])

function describe(kind: FailureKind, detail: FailureDetail): Pick<TurnFailure, 'event' | 'outcome'> {
  const evidence = detail.message
  const code = ERROR_CODE[kind] ?? 'MODEL_ERROR'
  const error = { type: 'error', code, message: detail.message, recoverable: false } as const
  switch (kind) {
    case 'auth':
      return {
        event: { type: 'auth_error', message: detail.message, guidance: detail.guidance ?? '' },
        outcome: { kind: 'auth_required', evidence },
      }
    case 'context':
      return {
        event: { type: 'context_exceeded', usedTokens: detail.usedTokens ?? 0, maxTokens: detail.maxTokens ?? 0 },
        outcome: { kind: 'context_exhausted', evidence },
      }
    case 'turn_limit':
      return {
        event: { type: 'turn_limit', maxTurns: detail.maxTurns ?? 0 },
        outcome: { kind: 'turn_limit', evidence },
      }
    case 'cancelled':
      return { event: { type: 'interrupted' }, outcome: { kind: 'cancelled', evidence } }
    case 'rate_limit':
      return { event: error, outcome: { kind: 'rate_limited', evidence, retryAfterMs: waitOf(detail) } }
    case 'quota':
      return { event: error, outcome: { kind: 'quota_exhausted', evidence, resetAt: detail.resetAt } }
    case 'budget':
      return { event: error, outcome: { kind: 'budget_exceeded', evidence } }
    case 'output_invalid':
      return { event: error, outcome: { kind: 'output_invalid', evidence } }
    case 'protocol_drift':
      return { event: error, outcome: { kind: 'protocol_drift', evidence } }
    default:
      return { event: error, outcome: { kind: 'failed', code, evidence } }
  }
}

/** The effects of a failed turn: what the user sees, and the verdict. */
export function failTurn(kind: FailureKind, detail: FailureDetail): Effect[] {
  const fail: TurnFailure = {
    ...describe(kind, detail),
    transient: TRANSIENT.has(kind),
    endNow: detail.endNow ?? false,
  }
  const effects: Effect[] = []
  if (kind === 'rate_limit' || kind === 'quota') {
    effects.push({
      emit: { type: 'rate_limit_error', message: detail.message, retryAfterMs: waitOf(detail) },
    })
  }
  effects.push({ fail })
  return effects
}

/** How long to wait, where only the text of the failure says it. */
function waitOf({ retryAfterMs, message }: FailureDetail): number | undefined {
  return retryAfterMs ?? waitIn(message)
}

/** Any of the words, each of which may be a pattern. */
const anyOf = (...words: string[]): RegExp => new RegExp(words.join('|'), 'i')

/** First match wins, so the specific comes before the general. */
const PATTERNS: readonly (readonly [FailureKind, RegExp])[] = [
  // A limit that passes, though Google calls it the current quota, OpenAI names its billing page and Amazon its tokens.
  [
    'rate_limit',
    anyOf(
      'resource (has been )?exhausted\\b|please retry in [\\d.]+ ?s\\b|rate limit reached for',
      'too many (tokens|requests)( per day)?, please wait|quota metric .*per (minute|second)',
    ),
  ],
  [
    'context',
    anyOf(
      'context.?(length|window|limit|size)|maximum context|context exceeds',
      '(prompt|input|string) (is |as )?too long|maximum prompt length|range of input length',
      'too many tokens|token count (\\(\\d+\\) |of \\d+ )?exceeds|model token limit|max_new_tokens. must be',
      'ran out of room|reduce the length of (the|your)',
    ),
  ],
  [
    'quota',
    anyOf(
      'usage limit|quota|insufficient_quota|billing|hit your .*limit|spending limit|key limit exceeded',
      '\\b402\\b|payment required|credit balance|(out of|insufficient|more|available) credits|insufficient (balance|funds)',
    ),
  ],
  // Before the words for credentials, because a limit is often reported with the key that it applies to.
  ['rate_limit', /\b429\b|rate.?limit|too many requests/i],
  [
    'auth',
    /\b401\b|\b403\b|unauthori[sz]ed|authenticat|not logged in|log ?in|invalid api key|api.key|oauth token|permission_error|\bkey\b.*\bpermission|missing environment variable/i,
  ],
  ['overloaded', /\b529\b|\b503\b|overloaded|at capacity|high demand/i],
  [
    'model_not_found',
    /model.*(not found|does not exist|not exist|issue with the selected model)|issue with the selected model|\b404\b/i,
  ],
  ['refusal', /content.?(?:filter|moderation|policy)|moderation policy|safety (?:checks|settings|policy)/i],
  ['server', /\b50[0-9]\b|internal server error|server_error/i],
  [
    'network',
    /stream disconnected|connection (refused|reset|error|failed)|(cannot|could not|unable to) connect|error sending request|closed unexpectedly|socket hang up|terminated early|^terminated$|network|ECONN|fetch failed|timed? ?out/i,
  ],
]

/** Cause of a failure that the agent only reports in words. Codes, where there are any, are better. */
export function classifyFailure(message: string): FailureKind {
  for (const [kind, pattern] of PATTERNS) if (pattern.test(message)) return kind
  return 'unknown'
}

export function failureFromStatus(status: number | undefined): FailureKind | undefined {
  if (status === undefined) return undefined
  if (status === 401 || status === 403) return 'auth'
  if (status === 402) return 'quota'
  if (status === 404) return 'model_not_found'
  if (status === 408) return 'network'
  if (status === 413) return 'context'
  if (status === 429) return 'rate_limit'
  if (status === 503 || status === 529) return 'overloaded'
  return status >= 500 ? 'server' : undefined
}
