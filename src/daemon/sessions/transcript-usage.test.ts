import { expect, test } from 'vitest'
import type { SessionUsage } from '../../contract/api/managed-session.ts'
import { NO_USAGE, newSession, type SessionRecord } from './record.ts'
import { countSpent, spentSince } from './transcript-usage.ts'

const used = (inputTokens: number, costUsd: number | null): SessionUsage => ({ ...NO_USAGE, inputTokens, costUsd })

const session: SessionRecord = newSession({
  ...{ id: 's', name: null, agent: 'claude', mode: 'terminal', options: {}, terminal: null, secretOptions: [] },
  workspace: { kind: 'directory', path: '/w' },
  createdAt: 1,
})

test('only what has come to it is new, by model', () => {
  const before = { a: used(10, 1), b: used(5, null) }
  const now = { a: used(30, 4), b: used(5, null), c: used(7, null) }
  expect(spentSince(before, now)).toEqual([
    ['a', used(20, 3)],
    ['c', used(7, null)],
  ])
  expect(spentSince(now, now)).toEqual([])
})

test('the same count twice counts once, in later launches as well', () => {
  const first = countSpent(session, 'x', { a: used(10, 1) })
  expect(first?.session).toMatchObject({ model: 'a', current: used(10, 1) })
  const next: SessionRecord = { ...session, ...first?.session, launch: 2, current: NO_USAGE }
  expect(countSpent(next, 'x', { a: used(10, 1) })).toBeNull()
  const later = countSpent(next, 'x', { a: used(12, 1.5) })
  expect(later?.session.current).toEqual(used(2, 0.5))
})

test('another conversation starts from zero, and what has no price stays without', () => {
  const first = countSpent(session, 'x', { a: used(10, null) })
  const next: SessionRecord = { ...session, ...first?.session }
  expect(next.current.costUsd).toBeNull()
  expect(countSpent(next, 'y', { a: used(3, null) })?.session.current).toEqual(used(13, null))
})
