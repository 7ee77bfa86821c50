import { expect, test } from 'vitest'
import { testClient } from '../../test/support/client.ts'
import { atTimes, listOptions } from './session-query.ts'

test('one object, or the agent before it', () => {
  expect(listOptions({ agent: 'codex', limit: 3 })).toEqual({ agent: 'codex', limit: 3 })
  expect(listOptions('codex', { limit: 3 })).toEqual({ agent: 'codex', limit: 3 })
  expect(listOptions(null, { limit: 3 })).toEqual({ limit: 3 })
  expect(listOptions(undefined)).toEqual({})
})

test('a moment is a Date, a number or a text', () => {
  const at = Date.UTC(2026, 10, 1)
  for (const since of [new Date(at), at, '2026-11-01T00:00:00Z']) expect(atTimes({ since })).toEqual({ since: at })
  const ago = atTimes({ since: '7d' }).since ?? 0
  expect(Math.abs(Date.now() - ago - 7 * 24 * 3600 * 1000)).toBeLessThan(10_000)
  expect(() => atTimes({ since: 'soon' })).toThrow('since: must be')
  expect(() => atTimes({ until: new Date(Number.NaN) })).toThrow('until: must be')
})

test('the list takes both forms', async () => {
  const { sessions } = testClient()
  const since = new Date(Date.now() + 60_000)
  expect(await sessions.list({ agent: 'claude', since })).toEqual([])
  expect(await sessions.list('claude', { since })).toEqual([])
  sessions[Symbol.dispose]()
})
