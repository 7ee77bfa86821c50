import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from '../../../test/support/until.ts'
import { AgentMuxError } from '../../contract/errors.ts'
import { ChangeFeed } from '../change-feed.ts'
import { Recorder } from '../recorder.ts'
import { Store } from '../store/store.ts'
import { OwnTitle, type OwnTitleOptions } from './own-title.ts'
import { beginLaunch, newSession, type SessionRecord, viewOf } from './record.ts'
import { noteFact } from './reduce.ts'

let directory: string
let store: Store
let recorder: Recorder

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'agent-mux-title-'))
  store = await Store.open(directory)
  const redact = (_id: string, text: string) => text.replace('hunter2', '[redacted]')
  recorder = new Recorder(store, new ChangeFeed(store.changes), redact, () => {})
})
afterEach(() => {
  store.close()
  rmSync(directory, { recursive: true, force: true })
})

/** A session whose first turn is over. */
function rested(): SessionRecord {
  const fresh = newSession({
    ...{ id: 'abcd', name: null, agent: 'claude', mode: 'headless', options: {}, terminal: null },
    ...{ workspace: { kind: 'directory', path: '/w' }, secretOptions: [], createdAt: 1 },
  })
  const session = { ...beginLaunch(fresh, 1, 1), metadata: { agentSessionId: 's1', title: 'do it' } }
  noteFact(session, { state: 'idle', source: 'protocol', at: 2, launch: 1 })
  store.sessions.insert(session)
  return session
}

function shown() {
  const session = store.sessions.get('abcd')
  const { title, summaryIsFallback } = session ? viewOf(session) : {}
  return { title, summaryIsFallback }
}

const watcher = (read: OwnTitleOptions['read']) =>
  new OwnTitle({ store, recorder, log: pino({ enabled: false }), read })

test('the title of the agent is shown, without secrets, as soon as there is one', async () => {
  const session = rested()
  expect(shown()).toEqual({ title: 'do it', summaryIsFallback: true })
  watcher(async () => ({ summary: 'Log in with hunter2', summaryIsFallback: false })).consider(session)
  await until('the title', () => shown().summaryIsFallback === false)
  expect(shown()).toEqual({ title: 'Log in with [redacted]', summaryIsFallback: false })
})

test('it is looked for once after each turn, and a conversation that is not there is no trouble', async () => {
  const session = rested()
  let looks = 0
  const titles = watcher(async () => {
    looks += 1
    throw new AgentMuxError('SESSION_NOT_FOUND', 'not yet')
  })
  titles.consider(session)
  titles.consider(session)
  expect(looks).toBe(1)
  titles.consider({ ...session, current: { ...session.current, turns: 1 } })
  titles.consider({ ...session, current: { ...session.current, turns: 100 } })
  expect(looks).toBe(2)
  expect(shown()).toEqual({ title: 'do it', summaryIsFallback: true })
})
