import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bareAdapter } from '../../../test/support/adapters.ts'
import { testClient } from '../../../test/support/client.ts'
import { until } from '../../../test/support/until.ts'
import type { Fact } from '../../contract/activity.ts'
import type { AgentAdapter } from '../../contract/adapter.ts'
import type { RestorePlan } from '../../contract/restore.ts'
import { ChangeFeed } from '../change-feed.ts'
import { Recorder } from '../recorder.ts'
import { Store } from '../store/store.ts'
import { adapterActivity, adapterPlan } from './adapter-plan.ts'
import { beginLaunch, newSession, viewOf } from './record.ts'
import { Restorer, type RestorerOptions } from './restore.ts'
import { Transcripts } from './transcripts.ts'

/** The plan of the daemon for an exited session `n1` of this adapter, in which something was said. */
function planWith(planRestore: AgentAdapter['planRestore']) {
  const mux = testClient([bareAdapter('third', { command: process.execPath }, { planRestore })])
  const session = {
    ...{ id: 's', agent: 'third', isLive: false, mode: 'headless', options: {}, metadata: { agentSessionId: 'n1' } },
    workspace: { kind: 'directory', path: process.cwd() },
  }
  const event = { type: 'message_stop', text: 'An answer.' }
  const row = { seq: 1, json: JSON.stringify({ seq: 1, kind: 'event', sessionId: 's', launch: 1, n: 1, event }) }
  const parts = {
    sessions: { record: () => session },
    launcher: { environmentOf: () => ({}) },
    store: { changes: { after: (after: number) => (after === 0 ? [row] : []) } },
    mux: () => mux,
    resumable: async () => ({ resumable: false, reason: 'we have not looked', lacks: 'ability' }),
    adapterPlan: (agent: string, reference: { sessionId: string }) => adapterPlan(mux.adapters, agent, reference),
  }
  return new Restorer(parts as unknown as RestorerOptions).plan('s')
}

describe('the daemon restores as a third-party adapter says', () => {
  test.each<[RestorePlan, object]>([
    [
      { kind: 'native', sessionId: 'n2', probed: true },
      { kind: 'native', agentSessionId: 'n2' },
    ],
    [
      { kind: 'replay', sessionId: 'n1', reason: 'no resume' },
      { kind: 'replay', why: /^no resume; it is repeated/ },
    ],
    [
      { kind: 'fresh', reason: 'it is gone' },
      { kind: 'fresh', why: /^it is gone$/ },
    ],
    [
      { kind: 'impossible', reason: 'it is locked' },
      { kind: 'impossible', why: /^it is locked$/ },
    ],
  ])('%j', async (reported, expected) => {
    const asked: unknown[] = []
    const plan = await planWith(async (reference) => {
      asked.push(reference)
      return reported
    })
    const why = 'why' in expected ? { why: expect.stringMatching(expected.why as RegExp) } : {}
    expect(plan).toMatchObject({ ...expected, ...why })
    expect(asked).toEqual([{ sessionId: 'n1', cwd: process.cwd() }])
  })

  test('one that fails, or has no plan, is not the end of it', async () => {
    const failed = await planWith(() => Promise.reject(new Error('no store')))
    expect(failed).toMatchObject({ kind: 'replay', why: expect.stringContaining('its adapter failed: no store') })
    expect(await planWith(undefined)).toMatchObject({
      kind: 'replay',
      why: expect.stringContaining('we have not looked'),
    })
  })

  test('a built-in one is not asked: we look ourselves', async () => {
    expect(await adapterPlan(testClient([]).adapters, 'claude', { sessionId: 'n1' })).toBeNull()
  })
})

/** A terminal session of this adapter, followed by the daemon; a function that reports its activity. */
async function followed(getActivityState: AgentAdapter['getActivityState']) {
  const dataDir = mkdtempSync(join(tmpdir(), 'agent-mux-asked-'))
  const store = await Store.open(dataDir)
  const mux = testClient([bareAdapter('third', { command: process.execPath }, { getActivityState })])
  const recorder = new Recorder(store, new ChangeFeed(store.changes), (_, text) => text.replace('hunter2', '***'), () => {}) // biome-ignore format: one line
  const transcripts = new Transcripts({
    ...{ store, recorder, log: pino({ enabled: false }), hasDailyBudget: false, lookMs: 5 },
    ...{ onTaken: () => {}, onSpent: () => {}, conversations: () => mux.sessions },
    activityOf: ({ agent }) => adapterActivity(mux.adapters, agent),
  })
  onTestFinished(() => {
    transcripts.stop()
    store.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const fresh = newSession({
    ...{ id: 'abcd', name: null, agent: 'third', mode: 'terminal', options: {}, terminal: null },
    ...{ workspace: { kind: 'directory', path: '/w' }, secretOptions: [], createdAt: 1 },
  })
  const session = { ...beginLaunch(fresh, 1, 1), metadata: { agentSessionId: 'n1' } }
  store.sessions.insert(session)
  transcripts.consider(session)
  return () => {
    const now = store.sessions.get('abcd')
    return now && viewOf(now).activity
  }
}

describe('the daemon shows what a third-party adapter says of the activity', () => {
  test('as it changes, without secrets', async () => {
    const asked: unknown[] = []
    let fact: Omit<Fact, 'at'> | null = { state: 'active', detail: 'types hunter2', source: 'screen', launch: 7 }
    const shown = await followed(async (reference) => {
      asked.push(reference)
      return fact && { ...fact, at: Date.now() }
    })
    await until('its work', () => shown()?.state === 'active')
    expect(shown()).toMatchObject({ why: 'types ***', source: 'transcript', launch: 1 })
    expect(asked[0]).toEqual({ sessionId: 'n1', cwd: '/w' })
    fact = { state: 'waiting_input', source: 'transcript', launch: 1 }
    await until('its question', () => shown()?.state === 'waiting_input')
    fact = null
  })

  test('one that fails, knows nothing, or claims that the process is gone changes nothing', async () => {
    const answers = [
      () => Promise.reject(new Error('no store')),
      async () => null,
      async (): Promise<Fact> => ({ state: 'exited', source: 'process', at: Date.now(), launch: 1 }),
      async (): Promise<Fact> => ({ state: 'idle', source: 'transcript', at: Date.now(), launch: 1 }),
    ]
    let asked = 0
    const shown = await followed(() => answers[Math.min(asked++, 3)]?.() ?? Promise.resolve(null))
    const states = new Set<string | undefined>()
    await until('the last answer', () => states.add(shown()?.state).has('idle'))
    expect([...states].sort()).toEqual(['idle', 'spawning'])
  })

  test('a built-in one is not asked: we read its transcript', async () => {
    expect(await adapterActivity(testClient([]).adapters, 'claude')).toBeNull()
  })
})
