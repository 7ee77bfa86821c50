import type { Error as AcpError } from '@agentclientprotocol/sdk/unstable'
import type { Effect } from '../../contract/dialogue.ts'
import { classifyFailure, type FailureKind, failTurn, failureFromStatus } from '../../core/failures.ts'
import { asNumber, asRecord, asString, parseRecord } from '../../core/json.ts'
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

/** Some agents put the provider's HTTP status in the place of the code. */
function kindOf(code: number | undefined, message: string): FailureKind {
  const fromText = REFUSED.test(message) ? 'refusal' : classifyFailure(message)
  // The words tell a spent plan and a full context from a mere 429 or 400, and a missing model from a mere 500.
  if (PRECISE.has(fromText)) return fromText
  const fromStatus = code !== undefined && code >= 400 && code < 600 ? failureFromStatus(code) : undefined
  if (fromStatus !== undefined) return fromStatus
  return code === AUTH_REQUIRED || UNKNOWN_METHOD.test(message) ? 'auth' : fromText
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
  const kind = kindOf(asNumber(asRecord(error)?.code), message)
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
