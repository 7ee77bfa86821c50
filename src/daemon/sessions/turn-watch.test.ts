import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../../../test/support/until.ts'
import type { Notification } from '../../contract/api/change.ts'
import { ChangeFeed } from '../change-feed.ts'
import { Recorder } from '../recorder.ts'
import { Store } from '../store/store.ts'
import { beginLaunch, newSession, viewOf } from './record.ts'
import { noteFact } from './reduce.ts'
import { TurnWatch } from './turn-watch.ts'

const account = { id: 'a1', endpoint: null, key: 'k1', profile: 'work' }

/** The end of a terminal's turn that failed with this: the notifications, the session, and who is parked. */
async function endOfTurn(detail: string) {
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
