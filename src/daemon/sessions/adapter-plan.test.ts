import { describe, expect, test } from 'vitest'
import { bareAdapter } from '../../../test/support/adapters.ts'
import { testClient } from '../../../test/support/client.ts'
import type { AgentAdapter } from '../../contract/adapter.ts'
import type { RestorePlan } from '../../contract/restore.ts'
import { adapterPlan } from './adapter-plan.ts'
import { Restorer, type RestorerOptions } from './restore.ts'

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
      { kind: 'replay', why: /^no resume; it is told again/ },
    ],
    [
      { kind: 'fresh', reason: 'it is gone' },
      { kind: 'fresh', why: /^it is gone$/ },
    ],
    [
      { kind: 'impossible', reason: 'it is locked' },
      { kind: 'impossible', why: /^it is locked$/ },
    ],
  ])('%j', async (told, expected) => {
    const asked: unknown[] = []
    const plan = await planWith(async (reference) => {
      asked.push(reference)
      return told
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
