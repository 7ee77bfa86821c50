import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterEach, expect, test } from 'vitest'
import { asRecords, asString, type JsonRecord, parseRecord } from '../../core/json.ts'
import { OpencodeAdapter } from './index.ts'

// Rows of a real database, of 1.18.33.
const rows = parseRecord(readFileSync(join(import.meta.dirname, 'fixtures/sessions/rows.json'), 'utf8')) ?? {}
const FIRST = 'ses_e1f747fbfffe9VQx6C09jQ1oT6'

const homes: string[] = []
afterEach(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true })
})

function homeWith(change: (table: string, row: JsonRecord) => JsonRecord = (_table, row) => row): string {
  const home = mkdtempSync(join(tmpdir(), 'amux-opencode-'))
  homes.push(home)
  const file = join(home, '.local/share/opencode/opencode.db')
  mkdirSync(dirname(file), { recursive: true })
  const database = new DatabaseSync(file)
  for (const [table, list] of Object.entries(rows)) {
    const columns = Object.keys(asRecords(list)[0] ?? {})
    database.exec(`CREATE TABLE ${table} (${columns.map((name) => `"${name}"`).join(', ')})`)
    const insert = database.prepare(`INSERT INTO ${table} VALUES (${columns.map(() => '?').join(', ')})`)
    for (const row of asRecords(list)) {
      const values = Object.values(change(table, row))
      insert.run(...values.map((value) => (typeof value === 'number' ? value : (asString(value) ?? null))))
    }
  }
  database.close()
  return home
}

const adapterFor = (homeDir: string) => new OpencodeAdapter({ homeDir, env: {} })

test('sessions are listed by file and id, oldest first, and nothing is written beside the database', async () => {
  const home = homeWith()
  const files = await adapterFor(home).listSessionFiles()
  expect(files).toHaveLength(asRecords(rows.session).length)
  expect(files).toContain(`${join(home, '.local/share/opencode/opencode.db')}#${FIRST}`)
  expect(readdirSync(join(home, '.local/share/opencode'))).toEqual(['opencode.db'])
})

test('a project has its own, and sub-agents have none', async () => {
  const adapter = adapterFor(homeWith((table, row) => (table === 'session' ? { ...row, parent_id: null } : row)))
  expect(await adapter.listSessionFiles('/nowhere')).toEqual([])
  const own = asRecords(rows.session).filter(({ directory }) => directory === '/workspace')
  expect(own.length).toBeGreaterThan(0)
  expect(await adapter.listSessionFiles('/workspace')).toHaveLength(own.length)
  const children = adapterFor(homeWith((table, row) => (table === 'session' ? { ...row, parent_id: 'ses_x' } : row)))
  expect(await children.listSessionFiles()).toEqual([])
})

test('a session is read with its words, usage and cost', async () => {
  const adapter = adapterFor(homeWith())
  const [file = ''] = (await adapter.listSessionFiles()).filter((path) => path.endsWith(FIRST))
  const session = await adapter.parseSessionFile(file)
  expect(session).toMatchObject({
    agent: 'opencode',
    sessionId: FIRST,
    title: '"hello [[text]]"',
    summary: 'Mock title',
    summaryIsFallback: false,
    cwd: '/workspace',
    turnCount: 1,
    model: 'mock/mock-model',
    createdAt: 1794768601153,
    tokenUsage: { inputTokens: 100, outputTokens: 20, cacheReadTokens: 10, totalTokens: 120 },
  })
  expect(session.cost?.totalUsd).toBeCloseTo(0.000131)
  expect(session.messages.map(({ role, content }) => [role, content])).toEqual([
    ['user', '"hello [[text]]"'],
    ['assistant', 'Hello from the mock model.'],
  ])
})

test('a title that is there until the agent has found one is none', async () => {
  const untitled = 'New session - 2026-11-15T18:50:01.153Z'
  const adapter = adapterFor(homeWith((table, row) => (table === 'session' ? { ...row, title: untitled } : row)))
  const [file = ''] = (await adapter.listSessionFiles()).filter((path) => path.endsWith(FIRST))
  expect(await adapter.parseSessionFile(file)).toMatchObject({ summary: '"hello [[text]]"', summaryIsFallback: true })
})

test('a fork is marked, because its numbers count what was copied', async () => {
  const adapter = adapterFor(
    homeWith((table, row) => (table === 'session' && row.id === FIRST ? { ...row, title: 'X (fork #1)' } : row)),
  )
  const [file = ''] = (await adapter.listSessionFiles()).filter((path) => path.endsWith(FIRST))
  expect((await adapter.parseSessionFile(file)).tags).toEqual(['fork'])
})

test('an unknown session is said to be unknown, and a home without a database has none', async () => {
  const home = homeWith()
  const adapter = adapterFor(home)
  await expect(adapter.parseSessionFile(`${adapter.sessionDir()}/opencode.db#ses_no`)).rejects.toThrow(/no session/)
  expect(await adapterFor(join(home, 'empty')).listSessionFiles()).toEqual([])
})
