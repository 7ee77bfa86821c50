import { expect, test } from 'vitest'
import { assistant, call, recordedSession, session, user } from '../../test/support/sessions.ts'
import { diffSessions } from './diff.ts'

test('a real fork of Pi begins as its origin did, and goes on', async () => {
  const fork = await recordedSession('pi', 'fork')
  const origin = { ...fork, messages: fork.messages.slice(0, 4) }
  const { stats, operations } = diffSessions(origin, fork)
  expect(stats).toEqual({ additions: 4, removals: 0, modifications: 0, unchanged: 4 })
  expect(operations.at(4)).toMatchObject({ op: 'addition', indexB: 4, messageB: { content: 'forked [[text]]' } })
})

test('reports additions, removals and changes, with their positions', () => {
  const a = session([user('one'), assistant('1'), user('two'), assistant('2'), user('three')])
  const b = session([user('one'), assistant('1!'), user('two'), assistant('2'), assistant('2b'), user('three')])
  const { operations, stats } = diffSessions(a, b)
  expect(operations.map(({ op, indexA, indexB }) => [op, indexA, indexB])).toEqual([
    ['unchanged', 0, 0],
    ['modification', 1, 1],
    ['unchanged', 2, 2],
    ['unchanged', 3, 3],
    ['addition', undefined, 4],
    ['unchanged', 4, 5],
  ])
  expect(stats).toEqual({ additions: 1, removals: 0, modifications: 1, unchanged: 4 })
  expect(diffSessions(b, a).stats).toEqual({ additions: 0, removals: 1, modifications: 1, unchanged: 4 })
})

test('another tool call is another message', () => {
  const a = session([assistant('', [call('Bash', { command: 'ls' })])])
  const b = session([assistant('', [call('Bash', { command: 'rm' })])])
  expect(diffSessions(a, b).stats.modifications).toBe(1)
  expect(diffSessions(a, a).stats.unchanged).toBe(1)
})

test('nothing has nothing in common', () => {
  expect(diffSessions(session([]), session([])).operations).toEqual([])
  expect(diffSessions(session([]), session([user('x')])).stats.additions).toBe(1)
})
