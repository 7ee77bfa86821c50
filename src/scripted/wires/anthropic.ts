import { defaultUsage } from '../answer.ts'
import type { FailureKind } from '../types.ts'
import { readAnthropic } from './anthropic-read.ts'
import { completeAnthropic, streamAnthropic } from './anthropic-write.ts'
import type { Failure, Wire } from './wire.ts'

const error = (status: number, type: string, message: string, headers?: Record<string, string>): Failure => ({
  status,
  headers,
  body: { type: 'error', error: { type, message }, request_id: 'req_scripted' },
})

const tooLong = error(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum')

const failures: Record<FailureKind, (model: string) => Failure> = {
  '401': () => error(401, 'authentication_error', 'invalid x-api-key'),
  '403': () => error(403, 'permission_error', 'Your API key does not have permission to use the specified resource.'),
  '404-model': (model) => error(404, 'not_found_error', `model: ${model}`),
  '429': () =>
    error(429, 'rate_limit_error', "This request would exceed your account's rate limit. Please try again later."),
  quota: () =>
    error(429, 'rate_limit_error', 'You have reached your usage limit. Please try again after it resets.', {
      'x-should-retry': 'false',
      'anthropic-ratelimit-unified-status': 'rejected',
      'anthropic-ratelimit-unified-representative-claim': 'five_hour',
      'anthropic-ratelimit-unified-reset': String(Math.floor(Date.now() / 1000) + 3600),
    }),
  credit: () =>
    error(
      400,
      'invalid_request_error',
      'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
    ),
  '500': () => error(500, 'api_error', 'Internal server error'),
  overloaded: () => error(529, 'overloaded_error', 'Overloaded'),
  context: () => tooLong,
  'context-400': () => tooLong,
}

/** Anthropic Messages: `POST /v1/messages`. */
export const anthropic: Wire = {
  read: readAnthropic,
  stream: streamAnthropic,
  complete: completeAnthropic,
  failure: (kind, model) => failures[kind](model),
  countTokens: () => ({ input_tokens: defaultUsage.input + defaultUsage.cacheRead + defaultUsage.cacheWrite }),
}
