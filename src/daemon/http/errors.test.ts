import { expect, test } from 'vitest'
import { AgentMuxError } from '../../contract/errors.ts'
import { describeError } from './errors.ts'

test('a runner that does not answer is not the fault of the request', () => {
  expect(describeError(new AgentMuxError('TIMEOUT', 'The runner has not answered')).status).toBe(504)
})

test.each([
  ['ENOSPC: no space left on device, write', 507, 'STORAGE_ERROR', 'no room'],
  ['database or disk is full', 507, 'STORAGE_ERROR', 'no room'],
  ['database is locked', 507, 'STORAGE_ERROR', 'database'],
  ['something of ours, with a secret in it', 500, 'INTERNAL', 'its log says more'],
])('%s', (text, status, code, says) => {
  const described = describeError(new Error(text))
  expect(described).toMatchObject({ status, body: { error: { code, message: expect.stringContaining(says) } } })
  expect(JSON.stringify(described)).not.toContain('secret')
})
