import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createClientIn } from '../mux/client.ts'

let home: string
const open: { close(): void }[] = []

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'amux-search-'))
})

afterEach(() => {
  for (const sessions of open.splice(0)) sessions.close()
  rmSync(home, { recursive: true, force: true })
})

function sessionsAt() {
  const { sessions } = createClientIn({ HOME: home, PATH: process.env.PATH })
  open.push(sessions)
  return sessions
}

const idOf = (n: number) => `aaaaaaaa-bbbb-4ccc-8ddd-${String(n).padStart(12, '0')}`
const fileOf = (n: number) => join(home, '.claude/projects/-work', `${idOf(n)}.jsonl`)

let clock = Date.UTC(2026, 10, 1)

function line(n: number, role: 'user' | 'assistant', content: unknown): string {
  clock += 1000
  const message = { role, content, ...(role === 'assistant' ? { id: `msg_${clock}`, model: 'claude-opus-5-5' } : {}) }
  const record = {
    type: role,
    message,
    cwd: `/work/${n}`,
    timestamp: new Date(clock).toISOString(),
    sessionId: idOf(n),
  }
  return `${JSON.stringify(record)}\n`
}

/** A session in which these things are said in turn. */
function say(n: number, ...words: string[]): void {
  mkdirSync(dirname(fileOf(n)), { recursive: true })
  const lines = words.map((text, index) => line(n, index % 2 === 0 ? 'user' : 'assistant', [{ type: 'text', text }]))
  appendFileSync(fileOf(n), lines.join(''))
}

async function found(text: string, more: object = {}): Promise<number[]> {
  const list = await sessionsAt().search({ text, ...more })
  return list.map(({ sessionId }) => Number(sessionId.slice(-4)))
}

describe('what is found', () => {
  test('words by their beginning, all of them, wherever in the session they are', async () => {
    say(1, 'Refactor the parser', 'Done, the lexer too')
    say(2, 'Write a parser', 'It is written')
    expect(await found('parser')).toHaveLength(2)
    expect(await found('refact lex')).toEqual([1])
    expect(await found('written refactor')).toEqual([])
    expect(await found('PARSER wrote')).toEqual([])
    expect(await found('PARSER writ')).toEqual([2])
  })

  test('exactly what is in quotes, or has signs in it', async () => {
    say(1, 'Look into src/core/json.ts', 'Yes')
    say(2, 'The json of the core', 'Yes')
    expect(await found('src/core/json.ts')).toEqual([1])
    expect(await found('"the core"')).toEqual([2])
    expect(await found('"core the"')).toEqual([])
    expect(await found('core-json')).toEqual([1])
  })

  test('scripts without spaces, accents, and nothing for nothing', async () => {
    say(1, '请修复解析器的错误', 'Café is déjà vu')
    expect(await found('解析器')).toEqual([1])
    expect(await found('cafe deja')).toEqual([1])
    expect(await found('析解')).toEqual([])
    expect(await found('')).toEqual([])
    expect(await found('" ** AND OR')).toEqual([])
  })

  test('what tools were given and gave back', async () => {
    mkdirSync(dirname(fileOf(1)), { recursive: true })
    const call = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'kubectl get pods' } }
    const result = { type: 'tool_result', tool_use_id: 't1', content: 'nginx-7c5ddbdf54-x8f2q Running' }
    writeFileSync(fileOf(1), line(1, 'user', 'look') + line(1, 'assistant', [call]) + line(1, 'user', [result]))
    expect(await found('kubectl')).toEqual([1])
    expect(await found('nginx running')).toEqual([1])
  })

  test('the better match comes first, with a score from 0 to 1; or the newer one', async () => {
    say(1, 'zebra zebra zebra', 'zebra')
    say(2, `one zebra ${'and much else '.repeat(200)}`, 'yes')
    for (let n = 3; n <= 6; n++) say(n, 'something else', 'yes')
    expect(await found('zebra')).toEqual([1, 2])
    expect(await found('zebra', { sort: 'date' })).toEqual([2, 1])
    expect(await found('zebra', { limit: 1 })).toEqual([1])
    const [first, second] = await sessionsAt().search({ text: 'zebra' })
    expect(first?.relevanceScore).toBe(1)
    expect(second?.relevanceScore).toBeGreaterThan(0)
    expect(second?.relevanceScore).toBeLessThan(1)
  })

  test('only where it is asked for', async () => {
    say(1, 'zebra', 'yes')
    say(2, 'zebra', 'yes')
    expect(await found('zebra', { cwd: '/work/2' })).toEqual([2])
    expect(await found('zebra', { agent: 'codex' })).toEqual([])
    expect(await found('zebra', { agent: 'nobody' })).toEqual([])
    expect(await found('zebra', { since: clock - 1500 })).toEqual([2])
  })
})

describe('a session that changes', () => {
  test('what is added is found, what is gone is not', async () => {
    say(1, 'zebra', 'yes')
    expect(await found('zebra')).toEqual([1])
    say(1, 'giraffe', 'yes')
    expect(await found('giraffe zebra')).toEqual([1])
    writeFileSync(fileOf(1), line(1, 'user', 'okapi'))
    expect(await found('zebra')).toEqual([])
    expect(await found('okapi')).toEqual([1])
    rmSync(fileOf(1))
    expect(await found('okapi')).toEqual([])
  })

  test('a file larger than what is held at once is read whole', async () => {
    say(1, 'first zebra', 'x'.repeat(3_000_000), 'second', 'y'.repeat(3_000_000), 'last okapi', 'z'.repeat(9_000_000))
    say(1, 'after giraffe')
    expect(await found('zebra okapi giraffe')).toEqual([1])
  })
})

test('no secret is in the index, not even in a title', async () => {
  const secret = `sk-ant-${'a1B2c3D4'.repeat(5)}`
  const password = 'hunter2-and-more'
  say(1, `my key is ${secret}`, `DB_PASSWORD=${password} works`)
  const sessions = sessionsAt()
  expect(await sessions.search({ text: 'works' })).toMatchObject([{ title: 'my key is [redacted]' }])
  expect(await sessions.search({ text: secret })).toEqual([])
  expect(await sessions.search({ text: password })).toEqual([])
  sessions.close()
  const data = join(home, '.agent-mux', 'data')
  for (const file of readdirSync(data)) {
    const bytes = readFileSync(join(data, file)).toString('latin1').toLowerCase()
    expect(bytes).not.toContain(secret.slice(7).toLowerCase())
    expect(bytes).not.toContain('hunter2')
  }
})

test('how far the first reading is', async () => {
  for (let n = 1; n <= 3; n++) say(n, 'zebra', 'yes')
  const steps: string[] = []
  await sessionsAt().refresh({
    text: true,
    onProgress: ({ agent, done, total }) => steps.push(`${agent} ${done}/${total}`),
  })
  expect(steps.slice(-3)).toEqual(['claude 1/3', 'claude 2/3', 'claude 3/3'])
})
