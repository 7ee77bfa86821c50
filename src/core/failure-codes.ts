import { classifyFailure, type FailureKind, failureFromStatus } from './failures.ts'
import { asNumber, asRecord, asString, isRecord, parseRecord } from './json.ts'

/**
 * What providers and agents themselves call a failure. Such a name decides, whatever the words beside it say. Only
 * names that stand for one cause are here: `invalid_request_error` and `api_error` may be anything.
 */
const KIND_BY_CODE: Readonly<Record<string, FailureKind>> = {
  rate_limit: 'rate_limit',
  rate_limited: 'rate_limit',
  rate_limit_error: 'rate_limit',
  rate_limit_exceeded: 'rate_limit',
  too_many_requests: 'rate_limit',
  tokens_per_minute_exceeded: 'rate_limit',
  'provider.rate_limit': 'rate_limit',
  quota: 'quota',
  quota_exceeded: 'quota',
  insufficient_quota: 'quota',
  usage_limit_reached: 'quota',
  usage_limit_exceeded: 'quota',
  billing_error: 'quota',
  billing_hard_limit_reached: 'quota',
  billing_not_active: 'quota',
  insufficient_credits: 'quota',
  payment_required: 'quota',
  context_limit: 'context',
  request_too_large: 'context',
  string_above_max_length: 'context',
  context_length_exceeded: 'context',
  context_window_exceeded: 'context',
  model_context_window_exceeded: 'context',
  'context.overflow': 'context',
  'compaction.unable': 'context',
  authentication: 'auth',
  authentication_error: 'auth',
  authorization: 'auth',
  invalid_api_key: 'auth',
  permission_error: 'auth',
  unauthorized: 'auth',
  'provider.auth_error': 'auth',
  'auth.login_required': 'auth',
  'auth.token_missing': 'auth',
  'auth.token_unauthorized': 'auth',
  overloaded_error: 'overloaded',
  server_overloaded: 'overloaded',
  server_is_overloaded: 'overloaded',
  slow_down: 'overloaded',
  model_not_found: 'model_not_found',
  'model.not_found': 'model_not_found',
  server_error: 'server',
  internal_server_error: 'server',
  timeout_error: 'network',
  'provider.connection_error': 'network',
  content_filter: 'refusal',
  content_policy_violation: 'refusal',
  'provider.filtered': 'refusal',
  'loop.max_steps_exceeded': 'turn_limit',
  // Classes of errors in the libraries of the providers.
  ratelimiterror: 'rate_limit',
  authenticationerror: 'auth',
  permissiondeniederror: 'auth',
  contextwindowexceedederror: 'context',
  budgetexceedederror: 'quota',
  contentpolicyviolationerror: 'refusal',
  notfounderror: 'model_not_found',
  serviceunavailableerror: 'overloaded',
}

/**
 * Names that say as much as a status: those of Google's interfaces, and of Amazon's. As with a status of 429, the words
 * distinguish a spent plan from a limit that passes.
 */
const STATUS_BY_NAME: Readonly<Record<string, number>> = {
  unauthenticated: 401,
  permission_denied: 403,
  not_found: 404,
  resource_exhausted: 429,
  internal: 500,
  unavailable: 503,
  deadline_exceeded: 504,
  not_found_error: 404,
  request_forbidden: 403,
  accessdeniedexception: 403,
  expiredtokenexception: 403,
  unrecognizedclientexception: 403,
  invalidsignatureexception: 403,
  resourcenotfoundexception: 404,
  modeltimeoutexception: 408,
  throttlingexception: 429,
  modelnotreadyexception: 429,
  internalserverexception: 500,
  modelerrorexception: 500,
  serviceunavailableexception: 503,
}

/** The first of the names that is known. */
export function namedFailure(codes: readonly unknown[]): FailureKind | undefined {
  return codes.map(failureFromCode).find((kind) => kind !== undefined)
}

function failureFromCode(code: unknown): FailureKind | undefined {
  const name = asString(code)?.toLowerCase()
  return name !== undefined && Object.hasOwn(KIND_BY_CODE, name) ? KIND_BY_CODE[name] : undefined
}

/** A status among the codes, as a number or by its name. Amazon puts the name of a service before it. */
function namedStatus(codes: readonly unknown[]): number | undefined {
  return codes.map(statusOfCode).find((status) => status !== undefined)
}

function statusOfCode(code: unknown): number | undefined {
  const number = asNumber(code)
  if (number !== undefined) return number >= 400 && number < 600 ? number : undefined
  const name = asString(code)?.toLowerCase().replace(/^.*#/, '') ?? ''
  return Object.hasOwn(STATUS_BY_NAME, name) ? STATUS_BY_NAME[name] : undefined
}

/** What an agent reports about a failure. */
export interface FailureSigns {
  /** Names of the cause, the most precise first. */
  codes?: readonly unknown[]
  /** HTTP, of the provider. */
  status?: number
  words: string
}

/**
 * A spent plan or balance in the provider's fixed phrases. The status of one is often that of a rate limit (429) or of
 * a key without rights (403), so these two do not decide between them. A mere mention of a quota is none of these.
 */
const SPENT =
  /insufficient_quota|exceeded your current quota|plan and billing|requires billing|billing[_ ](is )?(disabled|not enabled)|credit balance|(out of|insufficient|more|available) credits|insufficient (balance|funds)|spending limit|(usage|key|monthly|weekly|daily) limit (has been )?(exceeded|reached)|(hit|reached) your .*(usage|plan|weekly|monthly|session) limit|quota.*(per ?day|daily|month)|(per ?day|daily|month\w*) quota/i
const PASSES = /please retry in [\d.]+ ?s\b|per ?(minute|second)|rate limit reached for/i

/** Google names the limit, and how long to wait, which does not help with a daily limit. */
const SPENT_LIMIT = /"quotaId\\?": ?\\?"\w*Per(?:Day|Month)/

export function saysSpent(words: string): boolean {
  return SPENT_LIMIT.test(words) || (SPENT.test(words) && !PASSES.test(words))
}

/** Why a turn failed: by its code, else by its status, and by the words only where neither says. */
export function decideFailure({ words, ...signs }: FailureSigns): FailureKind {
  return failureByCode({ ...signs, words }) ?? classifyFailure(words)
}

/** The same where only a code or a status counts: the words alone may be about anything. */
export function failureByCode({ codes = [], status: reported, words }: FailureSigns): FailureKind | undefined {
  const names = [...codes, ...codesIn(words)]
  const named = namedFailure(names)
  if (named !== undefined) return named
  const status = reported ?? statusIn(words) ?? namedStatus(names)
  if (status === undefined) return undefined
  if ((status === 429 || status === 403) && saysSpent(words)) return 'quota'
  const byStatus = failureFromStatus(status)
  if (byStatus !== undefined) return byStatus
  const byWords = classifyFailure(words)
  // A bad request that speaks of a quota of tokens was too long. A plan that is used up is another matter.
  if (byWords === 'quota' && status === 400 && /\btokens?\b/i.test(words) && !saysSpent(words)) return 'context'
  return byWords === 'unknown' && status >= 400 ? 'invalid_request' : byWords
}

/** At the beginning, after a word that says what it is, or in brackets before an address: not a number in a sentence. */
const STATUS =
  /^(?:\[?(?:[a-z]+ )?error:? |[a-z]+[._][a-z._]+: |authentication required: )?([45]\d\d)(?=$|[ :,])|\b(?:status(?: code)?|error code|last error|https?(?: error)?)[: ]+([45]\d\d)\b|\(([45]\d\d)\)(?= from |: )/i

/** The provider's status, where the text gives it as such. */
export function statusIn(words: string): number | undefined {
  const status = STATUS.exec(words)
    ?.slice(1)
    .find((one) => one !== undefined)
  return status === undefined ? undefined : Number(status)
}

const ERROR_CLASS = /\b([A-Z][A-Za-z]+Error)\b/
const EXCEPTION = /\b([A-Z][A-Za-z]+Exception)\b/
const LEADING_CODE = /^([a-z]+(?:[._][a-z]+)+): /
const JSON_BODY = /\{[\s\S]*\}/

/** The provider's own names, where its whole answer is passed on in the text, or one comes before it. */
export function codesIn(words: string): unknown[] {
  const body = parseRecord(JSON_BODY.exec(words)?.[0] ?? '')
  const error = asRecord(body?.error) ?? body
  const names = [LEADING_CODE.exec(words)?.[1], ERROR_CLASS.exec(words)?.[1], EXCEPTION.exec(words)?.[1]]
  const codes = [error?.code, error?.status, error?.type, error?.__type]
  return [...names, ...codes].filter((code) => code !== undefined && code !== null)
}

/** The names and the status in the data of an error. */
export function signsIn(data: unknown): Pick<FailureSigns, 'codes' | 'status'> {
  if (!isRecord(data)) return {}
  const inner = asRecord(data.error) ?? {}
  const codes = [
    ...[data.errorCode, data.code, data.errorType, data.type, data.kind, data.status],
    ...[inner.code, inner.type, inner.status],
  ]
  const status = asNumber(data.statusCode) ?? asNumber(data.status) ?? asNumber(inner.status) ?? asNumber(data.code)
  return { codes, ...(status !== undefined && status >= 400 && status < 600 && { status }) }
}
