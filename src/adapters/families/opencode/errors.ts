import type { Effect } from '../../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../../core/effects.ts'
import { codesIn, decideFailure, namedFailure } from '../../../core/failure-codes.ts'
import { CUT_ANSWER, type FailureKind, failTurn } from '../../../core/failures.ts'
import { asNumber, asRecord, asString, type JsonRecord } from '../../../core/json.ts'
import type { OpencodeDialect } from './dialect.ts'

const KIND_BY_NAME: ReadonlyMap<string, FailureKind> = new Map([
  ['ContextOverflowError', 'context'],
  ['ContentFilterError', 'refusal'],
  ['ProviderAuthError', 'auth'],
  ['ProviderNoProvidersError', 'auth'],
  ['ProviderNoModelsError', 'auth'],
  ['ProviderInitError', 'auth'],
  ['ProviderModelNotFoundError', 'model_not_found'],
  ['MessageAbortedError', 'cancelled'],
  ['NotFoundError', 'session_not_found'],
])

/** An error of the agent, as one of its records holds it. */
export interface NativeError {
  name: string
  message: string
  data: JsonRecord
}

export function readError(value: unknown): NativeError {
  const error = asRecord(value) ?? {}
  const data = asRecord(error.data) ?? {}
  const message = asString(data.message) ?? asString(error.message) ?? asString(value) ?? 'The turn failed.'
  return { name: asString(error.name) ?? '', message, data }
}

/** `error="ProviderModelNotFoundError: Model not found: a/b."` of a log line. */
const LOGGED_ERROR = /\berror="(?:(\w+Error): )?((?:[^"\\]|\\.)*)"/
const REFERENCE = /^err_\w+$/

/**
 * What the agent's own server could not do is reported by a reference only. The log has the cause behind it, where the
 * run is made to write one.
 */
export function withLoggedCause(error: NativeError, log: string): NativeError {
  const reference = asString(error.data.ref) ?? ''
  if (!REFERENCE.test(reference)) return error
  const line = log.split('\n').find((one) => one.includes(`ref=${reference} `))
  const [, name, message] = LOGGED_ERROR.exec(line ?? '') ?? []
  return message === undefined
    ? error
    : { ...error, name: name ?? error.name, message: message.replace(/\\(.)/g, '$1') }
}

const NOT_FOUND = /Model not found: [^/\s]+\/(\S+?)\.? Did you mean: (.*)\?/

/** A model of the catalogue that is not found, and offered in its own place, lacks the credentials of its provider. */
function lacksCredentials(message: string): boolean {
  const [, model, offered] = NOT_FOUND.exec(message) ?? []
  return model !== undefined && (offered ?? '').split(', ').includes(model)
}

function kindOf({ name, message, data }: NativeError): FailureKind {
  if (lacksCredentials(message)) return 'auth'
  const byName = KIND_BY_NAME.get(name)
  if (byName !== undefined) return byName
  const status = asNumber(data.statusCode)
  const words = `${message} ${asString(data.responseBody) ?? ''}`
  const kind = decideFailure({ status, words })
  if (status !== undefined || namedFailure(codesIn(words)) !== undefined) return kind
  if (kind === 'quota' || kind === 'context') return kind
  if (name === 'APIError') return 'network'
  return /\bmodel not found\b/i.test(message) ? 'model_not_found' : kind
}

function retryAfter(data: JsonRecord): number | undefined {
  const headers = asRecord(data.responseHeaders) ?? {}
  const milliseconds = Number(headers['retry-after-ms'])
  const seconds = Number(headers['retry-after'])
  if (milliseconds > 0) return milliseconds
  return seconds > 0 ? seconds * 1000 : undefined
}

export function errorFailure(dialect: OpencodeDialect, error: NativeError): Effect[] {
  const kind = kindOf(error)
  return failTurn(kind, {
    message: error.message,
    guidance: kind === 'auth' ? dialect.guidance : undefined,
    retryAfterMs: kind === 'rate_limit' ? retryAfter(error.data) : undefined,
  })
}

/** Why the last step of a turn ended, where that is a failure. Such a turn ends like any other. */
export function reasonFailure(reason: string): Effect[] {
  if (reason === 'content-filter') return failTurn('refusal', { message: 'The model refused to answer.' })
  return reason === 'length' ? failTurn('unknown', { message: CUT_ANSWER }) : NO_EFFECTS
}
