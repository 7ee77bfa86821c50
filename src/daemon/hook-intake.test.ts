import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createClientIn } from '../mux/client.ts'
import { redact } from '../secrets/redact.ts'
import { ChangeFeed } from './change-feed.ts'
import { hookIntake } from './hook-intake.ts'
import { openLog } from './log.ts'
import { Recorder } from './recorder.ts'
import { beginLaunch, newSession, viewOf } from './sessions/record.ts'
import { Store } from './store/store.ts'

test('only hooks of the session’s own agent and newest launch count', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'agent-mux-intake-'))
  const store = await Store.open(dataDir)
  onTestFinished(() => {
    store.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const recorder = new Recorder(
    store,
    new ChangeFeed(store.changes),
    (_, text) => redact(text),
    () => {},
  )
  const session = newSession({
    ...{ id: 'abcd', name: null, agent: 'grok', mode: 'terminal', options: {}, terminal: null, createdAt: 1 },
    ...{ workspace: { kind: 'directory', path: '/w' }, secretOptions: [] },
  })
  store.sessions.insert(beginLaunch(session, 2, 1))
  const taken: string[] = []
  const take = hookIntake({
    ...{ store, recorder, mux: createClientIn({ HOME: dataDir, PATH: '' }), log: openLog(dataDir) },
    onTaken: ({ id }) => taken.push(id),
  })
  const stateAfter = async (adapter: string, launch: number, sessionId = 'abcd') => {
    const payload = { session_id: `of ${adapter}`, hook_event_name: 'UserPromptSubmit', prompt: 'hi' }
    await take({ id: '1', adapter, event: 'UserPromptSubmit', sessionId, launch, at: 10, payload })
    const found = store.sessions.get('abcd')
    return found && viewOf(found)
  }
  for (const [adapter, launch] of [
    ['claude', 2],
    ['nobody', 2],
    ['grok', 1],
    ['grok', 3],
  ] as const) {
    expect(await stateAfter(adapter, launch), `${adapter}, launch ${launch}`).toMatchObject({
      ...{ activity: { state: 'spawning', source: 'process' }, agentSessionId: null },
    })
  }
  await stateAfter('grok', 2, 'another')
  // One that nobody can read must not hold up those after it.
  store.sessions.insert(beginLaunch({ ...session, id: 'of-nobody', agent: 'nobody' }, 2, 1))
  await stateAfter('nobody', 2, 'of-nobody')
  expect(await stateAfter('grok', 2)).toMatchObject({
    ...{ activity: { state: 'active', source: 'hook' }, agentSessionId: 'of grok' },
  })
  expect(taken).toEqual(['abcd'])
})
