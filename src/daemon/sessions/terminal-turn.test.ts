import { expect, test } from 'vitest'
import type { Fact } from '../../contract/activity.ts'
import { beginLaunch, newSession, type SessionRecord } from './record.ts'
import { noteFact } from './reduce.ts'

type Given = [source: Fact['source'], state: Fact['state'], at: number, more?: Partial<Fact>]

/** The turn of a terminal after these facts. */
const after = (...facts: Given[]): SessionRecord['turn'] => sessionAfter({}, facts).turn

function sessionAfter(more: Partial<SessionRecord>, facts: readonly Given[]): SessionRecord {
  const fresh = newSession({
    ...{ id: 'abcd', name: null, agent: 'claude', mode: 'terminal', options: {}, terminal: null },
    ...{ workspace: { kind: 'directory', path: '/w' }, secretOptions: [], createdAt: 1 },
  })
  const session = { ...beginLaunch(fresh, 1, 1), ...more }
  for (const [source, state, at, more] of facts) noteFact(session, { source, state, at, launch: 1, ...more })
  return session
}

const PROMPTED: Given = ['hook', 'active', 1000, { begins: true }]
const FAILED: Given = ['hook', 'idle', 2000, { ended: 'failed', detail: '500 Internal server error' }]
const STOPPED: Given = ['screen', 'idle', 2000, { ended: 'interrupted', detail: 'interrupted at its screen' }]

test('a hook that only says that the turn is over leaves how it ended', () => {
  expect(after(PROMPTED, FAILED, ['hook', 'idle', 2001])?.outcome).toMatchObject({ kind: 'failed' })
})

const BEGUN: Given = ['hook', 'idle', 900, { isNewSession: true }]

test('what a screen shows before the session has begun is not a turn', () => {
  // Codex 0.166 shows that it works before it says that its session has begun.
  expect(after(['screen', 'active', 800], BEGUN)).toBeNull()
  expect(sessionAfter({}, [['screen', 'active', 800], BEGUN, PROMPTED]).unnotified).toEqual([])
  expect(after(['screen', 'active', 800], BEGUN, PROMPTED)).toMatchObject({ startedAt: 1000, endedAt: null })
  const seen: Given[] = [
    ['screen', 'active', 800],
    ['screen', 'idle', 850],
  ]
  expect(sessionAfter({}, [...seen, PROMPTED]).unnotified).toEqual([])
  expect(after(...seen, PROMPTED)).toMatchObject({ startedAt: 1000, endedAt: null })
  // Claude 2.1 asks whether it may trust the directory.
  const trust: Given = ['screen', 'blocked', 700, { dialog: 'setup' }]
  expect(after(trust)).toBeNull()
  expect(after(trust, ['screen', 'spawning', 750, { closes: true }], ['screen', 'idle', 800])).toBeNull()
  expect(after(trust, ['screen', 'active', 750, { closes: true }], BEGUN)).toBeNull()
})

test('a new session does not take back a turn that was prompted', () => {
  expect(after(PROMPTED, ['hook', 'idle', 2000, { isNewSession: true }])).toMatchObject({ endedAt: 2000 })
})

test('a retry takes a failure back', () => {
  expect(after(PROMPTED, FAILED, ['hook', 'active', 2500])).toMatchObject({ endedAt: null, outcome: null })
  expect(after(PROMPTED, FAILED, ['hook', 'active', 2500], ['hook', 'idle', 3000])?.outcome).toEqual({
    kind: 'completed',
  })
})

test('the end of one turn says nothing of the next', () => {
  const next: Given = ['hook', 'active', 5000, { begins: true }]
  expect(after(PROMPTED, FAILED, next, ['hook', 'idle', 6000])?.outcome).toEqual({ kind: 'completed' })
})

test('a key that stops the turn is seen before and after the hook that says it is over', () => {
  expect(after(PROMPTED, STOPPED, ['hook', 'idle', 2100])?.outcome).toMatchObject({ kind: 'cancelled' })
  expect(after(PROMPTED, ['hook', 'idle', 1900], STOPPED)?.outcome).toMatchObject({ kind: 'cancelled' })
})

test('without a hook of the end, the screen is believed when it has stood still', () => {
  const turn = after(PROMPTED, STOPPED, ['screen', 'idle', 14_000])
  expect(turn?.outcome).toMatchObject({ kind: 'cancelled', evidence: 'interrupted at its screen' })
})

test('what a hook says of the end counts more than what the screen does', () => {
  expect(after(PROMPTED, STOPPED, FAILED)?.outcome).toMatchObject({ kind: 'failed' })
  expect(after(PROMPTED, FAILED, STOPPED)?.outcome).toMatchObject({ kind: 'failed' })
})

test('a prompt after an interrupt begins a turn of its own, though nothing has reported the end of the one before', () => {
  const next: Given = ['hook', 'active', 5000, { begins: true }]
  const spent = "rate_limit: You've hit your session limit · resets 8:40pm"
  const failed: Given = ['hook', 'idle', 6000, { ended: 'failed', detail: spent }]
  const { unnotified, turn } = sessionAfter({ interruptedAt: 3000 }, [PROMPTED, next, failed])
  expect(unnotified).toMatchObject([{ outcome: { kind: 'cancelled' }, endedAt: 3000 }])
  expect(turn?.outcome).toMatchObject({ kind: 'quota_exhausted', evidence: spent })
  const seen = sessionAfter({}, [PROMPTED, STOPPED, next, failed])
  expect(seen.unnotified).toMatchObject([{ outcome: { kind: 'cancelled' }, endedAt: 2000 }])
  expect(seen.turn?.outcome).toMatchObject({ kind: 'quota_exhausted' })
})

test('what is said while the agent works is not a turn of its own', () => {
  const { unnotified, turn } = sessionAfter({}, [PROMPTED, ['hook', 'active', 5000, { begins: true }]])
  expect(unnotified).toEqual([])
  expect(turn).toMatchObject({ startedAt: 1000, endedAt: null })
})

test('a transcript that is read late does not begin the turn again whose end was notified', () => {
  const outcome = { kind: 'auth_required' as const, evidence: '401' }
  const turn = { startedAt: 1000, endedAt: 5000, outcome, isNotified: true }
  const late = sessionAfter({ turn }, [['transcript', 'active', 2000, { begins: true }]])
  expect(late.turn).toEqual(turn)
  expect(late.unnotified).toEqual([])
  const next = sessionAfter({ turn }, [['transcript', 'active', 6000, { begins: true }]])
  expect(next.turn).toMatchObject({ startedAt: 6000, endedAt: null })
})
