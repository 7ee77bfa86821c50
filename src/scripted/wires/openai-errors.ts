import type { FailureKind } from '../types.ts'
import type { Failure } from './wire.ts'

/** An error in the envelope both OpenAI wires share. */
export const openaiError = (
  status: number,
  type: string,
  code: string | null,
  message: string,
  more = {},
): Failure => ({
  status,
  body: { error: { message, type, param: null, code, ...more } },
})

const tooLong =
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 210000 tokens. Please reduce the length of the messages."

export const openaiFailures: Record<FailureKind, (model: string) => Failure> = {
  '401': () => openaiError(401, 'invalid_request_error', 'invalid_api_key', 'Incorrect API key provided: sk-fake.'),
  '403': () =>
    openaiError(
      403,
      'invalid_request_error',
      'permission_denied',
      'Your key does not have permission to use this resource.',
    ),
  '404-model': (model) =>
    openaiError(
      404,
      'invalid_request_error',
      'model_not_found',
      `The model \`${model}\` does not exist or you do not have access to it.`,
    ),
  '429': () =>
    openaiError(429, 'requests', 'rate_limit_exceeded', 'Rate limit reached for requests. Please try again in 1s.'),
  quota: () =>
    openaiError(
      429,
      'insufficient_quota',
      'insufficient_quota',
      'You exceeded your current quota, please check your plan and billing details.',
    ),
  credit: () =>
    openaiError(
      402,
      'billing_error',
      'insufficient_credits',
      'Insufficient credits. Add more credits to your account.',
    ),
  '500': () => openaiError(500, 'server_error', null, 'The server had an error while processing your request.'),
  overloaded: () =>
    openaiError(
      503,
      'server_error',
      'server_is_overloaded',
      'The model is currently overloaded. Please try again later.',
    ),
  context: () => openaiError(400, 'invalid_request_error', 'context_length_exceeded', tooLong),
  'context-400': () => openaiError(400, 'invalid_request_error', 'context_length_exceeded', tooLong),
}
