import { expect, test } from 'vitest'
import { hooks } from './hooks.ts'

const failed = (payload: object) => hooks.read('StopFailure', { session_id: 's', ...payload })?.evidence?.detail

test('a status decides, not the name that the CLI guesses from it; the name stays where there is no status', () => {
  const denied = '403 Your key does not have permission to use this resource.'
  expect(failed({ error: 'billing_error', error_details: denied })).toBe(denied)
  expect(failed({ error: 'billing_error', last_assistant_message: denied })).toBe(denied)
  expect(failed({ error: 'server_error', error_details: 'It broke.' })).toBe('server_error: It broke.')
  expect(hooks.read('StopFailure', 'not a record')).toBeNull()
})
