import type { AgentName } from './names.ts'

/** Every code an `AgentMuxError` or an `error` event can carry. `docs/outcomes.md` lists the outcomes. */
export const ERROR_CODES = [
  'CAPABILITY_ERROR',
  'VALIDATION_ERROR',
  'AUTH_ERROR',
  'UNKNOWN_AGENT',
  'AGENT_NOT_FOUND',
  'AGENT_NOT_INSTALLED',
  'AGENT_CRASH',
  'SPAWN_ERROR',
  'TIMEOUT',
  'INACTIVITY_TIMEOUT',
  'PARSE_ERROR',
  'CONFIG_ERROR',
  'CONFIG_LOCK_ERROR',
  'SESSION_NOT_FOUND',
  'ACCOUNT_NOT_FOUND',
  'PROFILE_NOT_FOUND',
  'PLUGIN_ERROR',
  'RATE_LIMITED',
  'QUOTA_EXHAUSTED',
  'CONTEXT_EXCEEDED',
  'BUDGET_EXCEEDED',
  'OUTPUT_INVALID',
  'PRICE_UNKNOWN',
  'MODEL_NOT_FOUND',
  'MODEL_ERROR',
  'REFUSED',
  'PROTOCOL_DRIFT',
  'ABORTED',
  'RUN_NOT_ACTIVE',
  'STDIN_NOT_AVAILABLE',
  'NO_PENDING_INTERACTION',
  'INTERACTION_NOT_FOUND',
  'INVALID_STATE_TRANSITION',
  'PTY_NOT_AVAILABLE',
  'STORAGE_ERROR',
  'INTERNAL',
] as const

/** One of `ERROR_CODES`. */
export type ErrorCode = (typeof ERROR_CODES)[number]

// A registered symbol survives two copies of the package in one process, where `instanceof` does not.
const MARK = Symbol.for('agent-mux.error')

/** The error that everything here throws: a code, a message and often a hint. */
export class AgentMuxError extends Error {
  readonly [MARK] = true
  readonly code: ErrorCode
  readonly recoverable: boolean
  /** What the caller can do next, in one sentence. */
  readonly hint?: string

  constructor(
    code: ErrorCode,
    message: string,
    options: { recoverable?: boolean; hint?: string; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.code = code
    this.recoverable = options.recoverable ?? false
    this.hint = options.hint
  }
}

/** Whether a value is an `AgentMuxError`, also one of another copy of this package. */
export function isAgentMuxError(value: unknown): value is AgentMuxError {
  return typeof value === 'object' && value !== null && MARK in value
}

/** The agent (or the model chosen) cannot do what the options ask for. */
export class CapabilityError extends AgentMuxError {
  readonly agent: AgentName
  readonly capability: string
  readonly model?: string

  constructor(agent: AgentName, capability: string, options: { model?: string; message?: string; hint?: string } = {}) {
    const subject = options.model ? `${agent} with model ${options.model}` : agent
    super('CAPABILITY_ERROR', options.message ?? `${subject} does not support ${capability}`, { hint: options.hint })
    this.agent = agent
    this.capability = capability
    this.model = options.model
  }
}

/** What is wrong with one option. */
export interface FieldError {
  field: string
  message: string
  received: unknown
  expected: string
}

/** Bad input. Carries every failing field, not only the first. */
export class ValidationError extends AgentMuxError {
  readonly fields: readonly FieldError[]

  constructor(fields: readonly FieldError[], subject = 'Invalid options') {
    super('VALIDATION_ERROR', `${subject}: ${fields.map((f) => `${f.field}: ${f.message}`).join('; ')}`)
    this.fields = fields
  }
}

/** The agent is not signed in, or its credentials were refused. */
export class AuthError extends AgentMuxError {
  readonly agent: AgentName
  readonly status: 'unauthenticated' | 'expired' | 'unknown'
  readonly guidance: string

  constructor(agent: AgentName, status: 'unauthenticated' | 'expired' | 'unknown', guidance: string) {
    super('AUTH_ERROR', `${agent} is not signed in (${status})`, { hint: guidance })
    this.agent = agent
    this.status = status
    this.guidance = guidance
  }
}
