import type { ContentfulStatusCode } from 'hono/utils/http-status'
import {
  AgentMuxError,
  type ErrorCode,
  type FieldError,
  isAgentMuxError,
  ValidationError,
} from '../../contract/errors.ts'
import { storageTrouble } from '../storage-trouble.ts'

/** An error with a status of its own. */
export class Refusal extends AgentMuxError {
  readonly status: ContentfulStatusCode

  constructor(status: ContentfulStatusCode, code: ErrorCode, message: string, options: { hint?: string } = {}) {
    super(code, message, options)
    this.status = status
  }
}

/** What the code says over HTTP; everything else is 400. */
const STATUS: Partial<Record<ErrorCode, ContentfulStatusCode>> = {
  AUTH_ERROR: 401,
  UNKNOWN_AGENT: 404,
  AGENT_NOT_FOUND: 404,
  SESSION_NOT_FOUND: 404,
  ACCOUNT_NOT_FOUND: 404,
  INTERACTION_NOT_FOUND: 404,
  AGENT_NOT_INSTALLED: 409,
  RUN_NOT_ACTIVE: 409,
  NO_PENDING_INTERACTION: 409,
  INVALID_STATE_TRANSITION: 409,
  STDIN_NOT_AVAILABLE: 409,
  CAPABILITY_ERROR: 422,
  PRICE_UNKNOWN: 422,
  RATE_LIMITED: 429,
  BUDGET_EXCEEDED: 429,
  INTERNAL: 500,
  TIMEOUT: 504,
  STORAGE_ERROR: 507,
}

export interface ErrorBody {
  error: { code: ErrorCode; message: string; hint?: string; recoverable: boolean; fields?: unknown }
}

export function describeError(given: unknown): { status: ContentfulStatusCode; body: ErrorBody } {
  const error = storageTrouble(given) ?? given
  if (!isAgentMuxError(error)) {
    // What went wrong inside is in the log; it may hold what clients should not see.
    const body = { code: 'INTERNAL', message: 'Something went wrong in the daemon; its log says more' } as const
    return { status: 500, body: { error: { ...body, recoverable: false } } }
  }
  const { code, message, hint, recoverable } = error
  const status = error instanceof Refusal ? error.status : (STATUS[code] ?? 400)
  const fields = error instanceof ValidationError ? error.fields.map(withoutValue) : undefined
  return { status, body: { error: { code, message, hint, recoverable, fields } } }
}

/** Who sent it knows the value; it may be a secret, and answers are logged by others. */
function withoutValue({ received: _, ...field }: FieldError): Omit<FieldError, 'received'> {
  return field
}
