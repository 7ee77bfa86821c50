import type { FailureKind } from '../types.ts'
import type { Failure } from './wire.ts'

const error = (code: number, status: string, message: string, details?: object[]): Failure => ({
  status: code,
  body: { error: { code, message, status, ...(details && { details }) } },
})

const info = (reason: string) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain: 'googleapis.com',
})

const tooLong = error(
  400,
  'INVALID_ARGUMENT',
  'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
)

export const geminiFailures: Record<FailureKind, (model: string) => Failure> = {
  // Google answers a wrong key with 400 API_KEY_INVALID; 401 is for missing or expired credentials.
  '401': () =>
    error(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials. API key not valid.', [
      info('API_KEY_INVALID'),
    ]),
  '403': () => error(403, 'PERMISSION_DENIED', 'The caller does not have permission'),
  '404-model': (model) =>
    error(
      404,
      'NOT_FOUND',
      `models/${model} is not found for API version v1beta, or is not supported for generateContent.`,
    ),
  '429': () =>
    error(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota). Please retry in 1s.', [
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1s' },
    ]),
  quota: (model) =>
    error(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota, please check your plan and billing details.', [
      {
        '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
        violations: [
          {
            quotaMetric: 'generativelanguage.googleapis.com/generate_content_free_tier_requests',
            quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier',
            quotaDimensions: { model, location: 'global' },
            quotaValue: '50',
          },
        ],
      },
    ]),
  credit: () =>
    error(
      403,
      'PERMISSION_DENIED',
      'This API method requires billing to be enabled. Please enable billing on the project.',
      [info('BILLING_DISABLED')],
    ),
  '500': () => error(500, 'INTERNAL', 'An internal error has occurred. Please retry.'),
  overloaded: () => error(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'),
  context: () => tooLong,
  'context-400': () => tooLong,
}
