import { expect, test } from 'vitest'
import { readFailure } from './failure.ts'

test.each([
  ['ECONNREFUSED: Unable to connect. Is the computer able to access the url?', 'network'],
  ['connection refused by 127.0.0.1', 'network'],
  ['503 Service temporarily unavailable', 'overloaded'],
  ['The model refused to answer.', 'refusal'],
  ['Provider finish_reason: content_filter', 'refusal'],
])('%s: %s', (message, kind) => {
  expect(readFailure(message).kind).toBe(kind)
})
