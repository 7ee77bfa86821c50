import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { OpenclawAdapter } from './index.ts'

const SAMPLE = join(import.meta.dirname, 'fixtures/2026.9.6/transcript.jsonl')

/** A store with the rows of a real one. */
function sampleHome(): string {
  const homeDir = mkdtempSync(join(tmpdir(), 'amux-openclaw-'))
  onTestFinished(() => rmSync(homeDir, { recursive: true, force: true }))
  const file = join(homeDir, '.openclaw/agents/main/agent/openclaw-agent.sqlite')
  mkdirSync(dirname(file), { recursive: true })
  const database = new DatabaseSync(file)
  database.exec('CREATE TABLE session_nodes (session_key TEXT, current_session_id TEXT, updated_at INTEGER)')
  database.exec('CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, event_zstd BLOB)')
  const ids = new Set<string>()
  for (const line of readFileSync(SAMPLE, 'utf8').trimEnd().split('\n')) {
    const { session_id, seq, event } = JSON.parse(line)
    const insert = database.prepare('INSERT INTO transcript_events VALUES (?, ?, ?, NULL)')
    insert.run(session_id, seq, JSON.stringify(event))
    ids.add(session_id)
  }
  for (const [index, id] of [...ids].entries()) {
    database.prepare('INSERT INTO session_nodes VALUES (?, ?, ?)').run(`agent:main:${index}`, id, index)
  }
  database.close()
  return homeDir
}

test('conversations are read from the store of the main agent', async () => {
  const homeDir = sampleHome()
  const adapter = new OpenclawAdapter({ homeDir, env: {} })
  const [file = '', ...others] = await adapter.listSessionFiles()
  expect(others).toHaveLength(1)
  const session = await adapter.parseSessionFile(file)
  expect(session).toMatchObject({
    agent: 'openclaw',
    sessionId: '06324e82-545e-4ab1-b417-edf2ca0d085d',
    title: 'hello [[text]]',
    turnCount: 2,
    model: 'mock-model',
    cwd: '/home/user/.openclaw/workspace',
    tokenUsage: { inputTokens: 200, outputTokens: 40, cacheReadTokens: 20 },
  })
  expect(session.messages.map(({ role, content }) => [role, content])).toEqual([
    ['user', 'hello [[text]]'],
    ['assistant', 'Hello from the mock model.'],
    ['user', 'second [[text]]'],
    ['assistant', 'Hello from the mock model.'],
  ])
})

test('by directory, and none where there is no store', async () => {
  const homeDir = sampleHome()
  const adapter = new OpenclawAdapter({ homeDir, env: {} })
  expect(await adapter.listSessionFiles('/home/user/.openclaw/workspace')).toHaveLength(2)
  expect(await adapter.listSessionFiles('/elsewhere')).toEqual([])
  expect(await new OpenclawAdapter({ homeDir, env: { OPENCLAW_STATE_DIR: '/nowhere' } }).listSessionFiles()).toEqual([])
  await expect(adapter.parseSessionFile(`${(await adapter.listSessionFiles())[0]}x`)).rejects.toThrow('no session')
})
