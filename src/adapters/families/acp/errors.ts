import type { Error as AcpError } from '@agentclientprotocol/sdk/unstable'
import type { Effect } from '../../../contract/dialogue.ts'
import { codesIn, decideFailure, namedFailure, signsIn, statusIn } from '../../../core/failure-codes.ts'
import { classifyFailure, type FailureKind, failTurn } from '../../../core/failures.ts'
import { asNumber, asRecord, asString, parseRecord } from '../../../core/json.ts'
import { AUTH_REQUIRED, METHOD_NOT_FOUND, type Native, RESOURCE_NOT_FOUND } from './rpc.ts'
import type { AcpState, Opening } from './state.ts'

const GENERIC = /^(internal|server|unknown) error\.?$/i

/** The words of an error: its message, unless the agent keeps the real ones in `data`. */
export function errorMessage(error: unknown): string {
  const { message, data }: Native<AcpError> = asRecord(error) ?? {}
  const details = asRecord(data)
  const inner = asString(data) ?? asString(details?.details) ?? asString(details?.message) ?? asString(details?.error)
  const outer = plainMessage(asString(message) ?? '')
  if (inner === undefined || inner === '') return outer || 'The request failed.'
  return outer === '' || GENERIC.test(outer) ? plainMessage(inner) : `${outer}: ${plainMessage(inner)}`
}

/** The provider's own words where the agent hands on its whole answer as JSON. */
function plainMessage(message: string): string {
  const parsed = parseRecord(message)
  return asString(asRecord(parsed?.error)?.message) ?? asString(parsed?.message) ?? message
}

const SESSION_MISSING =
  /session\b.*\b(not found|unknown|does not exist|no such)|(no such|unknown|invalid) session|no previous sessions/i
const UNKNOWN_METHOD = /unsupported auth method/i
const REFUSED = /content.?filter|refus(al|ed to answer)|safety|usage polic/i

const PRECISE: ReadonlySet<FailureKind> = new Set(['quota', 'context', 'refusal', 'model_not_found'])

/** Some agents put the provider's HTTP status in the place of the code, others into the data beside it. */
function kindOf(error: unknown, message: string): FailureKind {
  const record = asRecord(error) ?? {}
  const [outer, inner] = [signsIn(record), signsIn(record.data)]
  const status = inner.status ?? outer.status ?? statusIn(message)
  const codes = [
    ...(inner.codes ?? []),
    ...(outer.codes ?? []),
    ...[asRecord(record.data)?.details, record.message, record.data].flatMap((words) => codesIn(asString(words) ?? '')),
  ]
  const kind = decideFailure({ codes, status, words: message })
  // Of no use is a mere 500 of the agent itself: a model that is missing, or an answer that was refused, is often one.
  const fromText = REFUSED.test(message) ? 'refusal' : classifyFailure(message)
  if ((status === undefined || status === 400 || status === 500) && PRECISE.has(fromText)) {
    return namedFailure([...codes, ...codesIn(message)]) ?? fromText
  }
  if (record.code === AUTH_REQUIRED || UNKNOWN_METHOD.test(message)) return 'auth'
  return kind
}

/** How a caller without credentials gets some. */
function guidance({ profile, authMethods }: AcpState): string {
  const methods = authMethods.flatMap(({ name, id, description }) => {
    const title = asString(name) ?? asString(id)
    const words = asString(description)
    return title === undefined ? [] : [words === undefined ? title : `${title} (${words})`]
  })
  const offered = methods.length > 0 ? `The agent offers: ${methods.join('; ')}.` : ''
  return [profile.guidance, offered].filter((part) => part !== undefined && part !== '').join(' ')
}

/** A failed turn, from a JSON-RPC error or from words alone. */
export function turnFailure(state: AcpState, error: unknown): Effect[] {
  const message = typeof error === 'string' ? error : errorMessage(error)
  const kind = state.profile.authWords?.test(message) ? 'auth' : kindOf(error, message)
  const { used, max } = state.context
  return failTurn(kind, {
    message,
    guidance: kind === 'auth' ? guidance(state) : undefined,
    usedTokens: used,
    maxTokens: max,
  })
}

/** The session could not be opened: there is nothing to go on with. */
export function sessionFailure(state: AcpState, error: unknown, opening: Opening): Effect[] {
  const code = asNumber(asRecord(error)?.code)
  const message = errorMessage(error)
  if (code === METHOD_NOT_FOUND) return notOffered(state, `to ${opening} a session`)
  const isMissing = code === RESOURCE_NOT_FOUND || asRecord(asRecord(error)?.data)?.code === 'FS_NOT_FOUND'
  if (opening !== 'new' && (isMissing || SESSION_MISSING.test(message))) {
    return failTurn('session_not_found', { message })
  }
  return turnFailure(state, error)
}

/** What the options ask for, and this agent says only now that it does not have. */
export function notOffered({ agent }: AcpState, what: string): Effect[] {
  const message = `${agent} does not offer ${what} over ACP.`
  const event = { type: 'error', code: 'CAPABILITY_ERROR', message, recoverable: false } as const
  return [{ fail: { event, outcome: { kind: 'failed', code: 'CAPABILITY_ERROR', evidence: message } } }]
}

export function isMissingSession(error: unknown): boolean {
  return SESSION_MISSING.test(errorMessage(error))
}
