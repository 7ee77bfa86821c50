import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../../../test/support/until.ts'
import type { Notification } from '../../contract/api/change.ts'
import { ChangeFeed } from '../change-feed.ts'
import { Recorder } from '../recorder.ts'
import type { LaunchRow } from '../store/launches.ts'
import { Store } from '../store/store.ts'
import { Intake } from './intake.ts'
import { beginLaunch, killed, newSession, viewOf } from './record.ts'
import { noteFact } from './reduce.ts'
import { TurnWatch } from './turn-watch.ts'

const account = { id: 'a1', endpoint: null, key: 'k1', profile: 'work' }

/** A terminal that has been given a prompt, and what was notified. */
async function atWork() {
  const dataDir = mkdtempSync(join(tmpdir(), 'agent-mux-turns-'))
  const store = await Store.open(dataDir)
  const told: Notification[] = []
  const feed = new ChangeFeed(store.changes)
  const recorder = new Recorder(store, feed, (_, text) => text, (one) => told.push(one)) // biome-ignore format: one line
  const watch = new TurnWatch({ store, recorder, settleMs: { hook: 1 } })
  onTestFinished(() => {
    watch.stop()
    store.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const fresh = newSession({
    ...{ id: 'abcd', name: null, agent: 'claude', mode: 'terminal', options: {}, terminal: null },
    ...{ workspace: { kind: 'directory', path: '/w' }, secretOptions: [], createdAt: 1 },
  })
  const session = { ...beginLaunch(fresh, 1, 1), account }
  const now = Date.now()
  noteFact(session, { state: 'active', source: 'hook', at: now - 10, launch: 1, begins: true })
  return { store, recorder, watch, told, session, now }
}

/** The end of a terminal's turn that failed with this: the notifications, the session, and who is parked. */
async function endOfTurn(detail: string) {
  const { store, watch, told, session, now } = await atWork()
  noteFact(session, { state: 'idle', source: 'hook', at: now, launch: 1, ended: 'failed', detail })
  store.sessions.insert(session)
  watch.consider(session)
  await until('the notification', () => told.length > 0)
  const saved = store.sessions.get('abcd')
  return { now, told, view: saved && viewOf(saved), parked: store.parked.list(now) }
}

test('a terminal at a limit whose end is known parks its account, and no other', async () => {
  const { now, told, view, parked } = await endOfTurn('rate_limit: 429 Too many requests. Please retry in 300s')
  const until = now + 300_000
  expect(told).toMatchObject([{ kind: 'limited' }])
  expect(parked).toMatchObject([{ agent: 'claude', account, until }])
  expect(view).toMatchObject({ limit: { until }, attention: { kind: 'limited', until } })
  expect(view?.lastError).toContain('429')
})

test('one without a known end parks nobody, and says that it is limited', async () => {
  const { told, view, parked } = await endOfTurn('billing_error: Credit balance is too low')
  expect(told).toMatchObject([{ kind: 'limited' }])
  expect(parked).toEqual([])
  expect(view).toMatchObject({ limit: { until: null }, attention: { kind: 'limited', until: null } })
})

test('a turn that failed otherwise is at no limit', async () => {
  const { told, view, parked } = await endOfTurn('server_error: API Error: 529 Overloaded')
  expect(told).toMatchObject([{ kind: 'failed' }])
  expect([parked, view?.limit]).toEqual([[], null])
  expect(view?.lastError).toContain('529')
})

const ROW: LaunchRow = {
  ...{ id: 'abcd-1', sessionId: 'abcd', number: 1, agent: 'claude', origin: 'spawn', state: 'running', createdAt: 1 },
  ...{ startedAt: 1, endedAt: null, position: 0, records: 0, result: null },
}

test.each([
  ['at work', 'interrupted'],
  ['done', 'finished'],
])('a terminal that is killed when it is %s is notified once, as %s', async (when, kind) => {
  const { store, recorder, watch, told, session, now } = await atWork()
  const idle = { state: 'idle', source: 'hook', at: now + 1, launch: 1 } as const
  if (when === 'done') noteFact(session, idle)
  const next = killed(session, 'it was killed')
  // OpenCode 1.18 reports the end of its turn when it is ended.
  if (when === 'at work') noteFact(next, { ...idle, at: Date.now() + 1 })
  store.sessions.insert(next)
  watch.consider(next)
  await sleep(30)
  expect(told).toEqual([])
  const intake = new Intake({ store, recorder, log: pino({ enabled: false }), onTaken: () => {} })
  const result = { format: 1, launchId: 'abcd-1', endedAt: now + 50, how: 'ended', records: 0 } as const
  intake.ended(ROW, { ...result, result: null, error: null, exit: { exitCode: 143, signal: null } })
  expect(told.map((one) => one.kind)).toEqual([kind])
  const saved = store.sessions.get('abcd')
  const outcome = when === 'done' ? 'completed' : 'cancelled'
  expect(saved && viewOf(saved)).toMatchObject({ outcome: { kind: 'cancelled' }, turn: { outcome: { kind: outcome } } })
})
