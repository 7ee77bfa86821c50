import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../test/support/client.ts'
import { knownStore } from '../mux/session-host.ts'
import { SessionUsage } from './session-usage.ts'

const ID = '0198c0de-0000-7000-8000-000000000001'
const line = (id: string, input: number) =>
  `${JSON.stringify({ id, timestamp: new Date().toISOString(), type: 'gemini', content: 'x', model: 'm', tokens: { input, output: 1, cached: 0, thoughts: 0, tool: 0, total: input + 1 } })}\n`

function store() {
  const home = temporaryDirectory()
  const known = knownStore('gemini', { HOME: home })
  if (!known) throw new Error('no store')
  const chats = join(home, '.gemini/tmp/project/chats')
  mkdirSync(chats, { recursive: true })
  const file = join(chats, `session-2026-01-01T00-00-${ID.slice(0, 8)}.jsonl`)
  return { home, file, known }
}

test('the requests of one session, as they are written', async () => {
  const { home, file, known } = store()
  const usage = new SessionUsage(known, home, Date.now())
  expect(await usage.rows(ID)).toEqual([])
  writeFileSync(file, `${JSON.stringify({ sessionId: ID, startTime: new Date().toISOString(), kind: 'main' })}\n`)
  appendFileSync(file, line('a', 10))
  expect((await usage.rows(ID)).map(({ inputTokens }) => inputTokens)).toEqual([10])
  appendFileSync(file, line('b', 20))
  expect((await usage.rows(ID)).map(({ inputTokens }) => inputTokens)).toEqual([10, 20])
  expect(await usage.rows('another-session')).toEqual([])
  // Where the agent does not name its session, it is the only one that has begun since.
  expect(await usage.rows(null)).toHaveLength(2)
})

test('counts beside the transcript are seen although the transcript itself has not changed', async () => {
  const home = temporaryDirectory()
  const known = knownStore('droid', { HOME: home })
  if (!known) throw new Error('no store')
  const folder = join(known.path, '-project')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${ID}.jsonl`), `${JSON.stringify({ type: 'session_start', id: ID, cwd: home })}\n`)
  const count = (inputTokens: number) =>
    writeFileSync(join(folder, `${ID}.settings.json`), JSON.stringify({ tokenUsage: { inputTokens, outputTokens: 1 } }))
  count(10)
  const usage = new SessionUsage(known, home, Date.now())
  expect((await usage.rows(ID)).map(({ inputTokens }) => inputTokens)).toEqual([10])
  const changes: number[] = []
  const stop = usage.onChange(() => changes.push(Date.now()))
  count(1000)
  expect((await usage.rows(ID)).map(({ inputTokens }) => inputTokens)).toEqual([1000])
  await expect.poll(() => changes.length).toBeGreaterThan(0)
  stop()
})
