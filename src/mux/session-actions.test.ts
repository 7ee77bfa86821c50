import { appendFileSync, chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bareAdapter, program } from '../../test/support/adapters.ts'
import { loadAdapterFor } from '../adapters/index.ts'
import { createClientIn } from './client.ts'

const home = mkdtempSync(join(tmpdir(), 'amux-sessions-'))
const bin = join(home, 'bin')
const configDir = join(home, '.agent-mux')
const workspace = join(home, 'workspace')
const fixture = (path: string) => fileURLToPath(new URL(`../adapters/${path}`, import.meta.url))
const CLAUDE = 'aaaaaaaa-bbbb-4ccc-8ddd-000000000001'
const OTHER = 'aaaaaaaa-bbbb-4ccc-8ddd-000000000002'
const CODEX = '01a1e098-902a-7641-b1af-7e76855bb954'
const claudeFile = (id: string) => join(home, `.claude/projects/-workspace/${id}.jsonl`)

const mux = createClientIn({ HOME: home, PATH: bin }, { configDir, projectConfigDir: join(home, 'project') })
const { sessions } = mux

function install(command: string, version: string): void {
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, command), `#!/bin/sh\necho ${version}\n`)
  chmodSync(join(bin, command), 0o755)
}

beforeAll(() => {
  mkdirSync(join(home, '.claude/projects/-workspace'), { recursive: true })
  cpSync(fixture('claude/fixtures/sessions/tool.jsonl'), claudeFile(CLAUDE))
  cpSync(fixture('claude/fixtures/sessions/forked.jsonl'), claudeFile(OTHER))
  const day = join(home, '.codex/sessions/2026/11/15')
  mkdirSync(day, { recursive: true })
  cpSync(fixture('codex/fixtures/sessions/c-patch-ws.jsonl'), join(day, `rollout-2026-11-15T18-00-00-${CODEX}.jsonl`))
})
afterAll(() => {
  sessions.close()
  rmSync(home, { recursive: true, force: true })
})

describe('an id', () => {
  test.each([
    [`claude:${CLAUDE}`, 'claude', CLAUDE],
    [CLAUDE, 'claude', CLAUDE],
    ['01a1e098', 'codex', CODEX],
    ['codex:01', 'codex', CODEX],
  ])('%s stands for a session', async (id, agent, sessionId) => {
    expect(await sessions.resolve(id)).toEqual({ agent, sessionId })
  })

  test('that several begin with is refused, and they are named', async () => {
    await expect(sessions.resolve('aaaaaaaa')).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      hint: expect.stringContaining(`claude:${OTHER}`),
    })
  })

  test.each([
    ['codx:01a1', `codex:${CODEX}`],
    ['codex:01a1ffff', `codex:${CODEX}`],
    ['01a1ffff', `codex:${CODEX}`],
  ])('%s is none, but near to one', async (id, meant) => {
    await expect(sessions.resolve(id)).rejects.toMatchObject({
      ...{ code: 'SESSION_NOT_FOUND', hint: expect.stringContaining(`Did you mean ${meant}?`) },
    })
  })

  test('that nobody has is not found', async () => {
    await expect(sessions.resolve('ffff')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    await expect(sessions.export('claude', 'ffff', 'json')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
  })
})

test('two sessions are compared by their ids', async () => {
  const { stats } = await sessions.diff(CLAUDE, `claude:${OTHER}`)
  expect(stats.unchanged).toBe(0)
  expect((await sessions.diff(CLAUDE, CLAUDE)).stats).toEqual({
    additions: 0,
    removals: 0,
    modifications: 0,
    unchanged: 3,
  })
})

test('a hand-off is written from the session, and keeps where it comes from', async () => {
  const handoff = await sessions.handoff('codex', CODEX, { prompt: 'Now test it.' })
  expect(handoff).toMatchObject({ continuedFrom: `codex:${CODEX}`, cwd: '/workspace' })
  expect(handoff.text).toContain('a user had with Codex CLI in /workspace')
  await expect(sessions.handoff('codex', CODEX, { budget: 10 })).rejects.toThrow('500 tokens or more')
})

describe('resumable', () => {
  const answer = () => sessions.resumable('claude', CLAUDE)

  test('is checked step by step, with the reason', async () => {
    expect(await answer()).toMatchObject({
      resumable: false,
      reason: 'Claude Code is not installed: no `claude` on PATH',
      lacks: 'installation',
    })
    install('claude', '1.0.3')
    expect(await answer()).toMatchObject({
      resumable: false,
      reason: 'Claude Code 1.0.3 is too old: 2.1.0 or newer is needed',
    })
    install('claude', '2.1.325-later')
    expect(await answer()).toMatchObject({ resumable: false, reason: 'its directory /workspace is gone' })
    mkdirSync(workspace)
    const line = { type: 'user', uuid: 'u', cwd: workspace, timestamp: '2026-11-15T18:00:00Z' }
    writeFileSync(claudeFile(CLAUDE), `${JSON.stringify({ ...line, message: { role: 'user', content: 'hi' } })}\n`)
    expect(await answer()).toEqual({ resumable: true })
    const listed = await sessions.list()
    const all = await sessions.resumableAll(listed)
    expect(listed.map(({ agent }, i) => [agent, all[i]?.resumable]).sort()).toEqual([
      ['claude', false],
      ['claude', true],
      ['codex', false],
    ])
    await expect(sessions.resumable('claude', 'none')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
  })
})

test('watching emits what is added to the file of the session', async () => {
  const events = sessions.watch('claude', OTHER, { pollMs: 50 })[Symbol.asyncIterator]()
  expect((await events.next()).value).toMatchObject({ type: 'session_start', sessionId: OTHER })
  const line = {
    type: 'user',
    uuid: 'x',
    timestamp: '2026-11-15T20:00:00Z',
    message: { role: 'user', content: 'more' },
  }
  appendFileSync(claudeFile(OTHER), `${JSON.stringify(line)}\n`)
  expect((await events.next()).value).toMatchObject({ type: 'turn_start', prompt: 'more' })
  await events.return?.()
  await expect(sessions.watch('claude', 'none')[Symbol.asyncIterator]().next()).rejects.toThrow('no session none')
})

test('a run that continues another session is kept in the lineage of both', async () => {
  const records = [{ type: 'session_start', sessionId: CLAUDE, resumed: false }]
  const spawn = { command: process.execPath, args: [program('emit'), JSON.stringify(records)] }
  const child = createClientIn({ HOME: home, PATH: bin }, { configDir, projectConfigDir: join(home, 'project') })
  child.adapters.register(bareAdapter('claude', spawn))
  await child.run({ agent: 'claude', prompt: 'x', continuedFrom: `codex:${CODEX}`, cwd: workspace })
  const lineage = { continuedFrom: `codex:${CODEX}` }
  expect(await sessions.get('claude', CLAUDE)).toMatchObject(lineage)
  const listed = await sessions.list()
  expect(listed.find(({ sessionId }) => sessionId === CLAUDE)).toMatchObject(lineage)
  expect(listed.find(({ sessionId }) => sessionId === CODEX)?.continuedIn).toEqual([`claude:${CLAUDE}`])
  appendFileSync(join(configDir, 'data/lineage.jsonl'), '{"v":1,"kind":"fork","fr')
  expect(await sessions.get('claude', CLAUDE)).toMatchObject(lineage)
})

describe('what an agent does, by what it keeps', () => {
  test('is asked of its adapter, built in or not', async () => {
    const asked: unknown[] = []
    const fact = { state: 'waiting_input', source: 'transcript', at: 1, launch: 1 } as const
    const third = bareAdapter(
      'third-party',
      {},
      {
        async getActivityState(...args) {
          asked.push(args)
          return fact
        },
      },
    )
    const client = createClientIn({ HOME: home, PATH: bin }, { configDir })
    client.adapters.register(third)
    expect(await client.sessions.activity('third-party', 's1', 5)).toEqual(fact)
    expect(asked).toEqual([[{ sessionId: 's1' }, 5]])
    // One that is built in looks at the user's own home, unless it is made for another.
    client.adapters.register(await loadAdapterFor('codex', { env: { HOME: home }, homeDir: home }))
    expect(await client.sessions.activity('codex', CODEX)).toMatchObject({ source: 'transcript', state: 'idle' })
    expect(await client.sessions.activity('codex', 'none')).toBeNull()
    client.sessions.close()
  })

  test('is not known where the adapter cannot tell, or fails', async () => {
    const client = createClientIn({ HOME: home, PATH: bin }, { configDir })
    client.adapters.register(bareAdapter('silent'))
    client.adapters.register(
      bareAdapter('broken', {}, { getActivityState: () => Promise.reject(new Error('no store')) }),
    )
    expect([await client.sessions.activity('silent', 's'), await client.sessions.activity('broken', 's')]).toEqual([
      null,
      null,
    ])
    await expect(client.sessions.activity('nobody', 's')).rejects.toMatchObject({ code: 'UNKNOWN_AGENT' })
    client.sessions.close()
  })
})
