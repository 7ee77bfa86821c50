import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openWritable } from '../files/sqlite.ts'
import { createClientIn } from '../mux/client.ts'

const FIXTURES = join(import.meta.dirname, '..', 'adapters')
const ID = 'aaaaaaaa-bbbb-4ccc-8ddd-000000000001'

let home: string
const open: { close(): void }[] = []

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'amux-bad-'))
})

afterEach(() => {
  for (const one of open.splice(0)) one.close()
  rmSync(home, { recursive: true, force: true })
})

function sessionsAt() {
  const { sessions } = createClientIn({ HOME: home, PATH: process.env.PATH })
  open.push(sessions)
  return sessions
}

const at = (...parts: string[]) => join(home, ...parts)
const claudeFile = (id = ID) => at('.claude/projects/-workspace', `${id}.jsonl`)
const database = () => at('.agent-mux/data/sessions.db')

function put(content: string | Buffer, path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

const good = () => readFileSync(join(FIXTURES, 'claude/fixtures/sessions/resumed.jsonl'))

describe('files that are no sessions', () => {
  test('are named and passed by, and the others are read', async () => {
    const rubbish = Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 7919) % 256))
    put(rubbish, claudeFile('aaaaaaaa-bbbb-4ccc-8ddd-000000000002'))
    put('', claudeFile('aaaaaaaa-bbbb-4ccc-8ddd-000000000003'))
    put(good().subarray(0, 20_000), claudeFile('aaaaaaaa-bbbb-4ccc-8ddd-000000000004'))
    put(good(), claudeFile())
    const sessions = sessionsAt()
    expect((await sessions.totalCost()).outputTokens).toBe(75)
    const bad = claudeFile('aaaaaaaa-bbbb-4ccc-8ddd-000000000002')
    expect(sessions.warnings).toMatchObject([{ agent: 'claude', path: bad }])
    // Known from now on, and still told.
    expect((await sessions.list()).map(({ sessionId }) => sessionId)).toContain(ID)
    expect(sessions.warnings).toMatchObject([{ path: bad }])
  })

  test('a log of a newer format is named', async () => {
    const header = { type: 'session', version: 99, id: 'x', timestamp: '2026-11-15T00:00:00Z', cwd: '/w' }
    put(`${JSON.stringify(header)}\n`, at('.pi/agent/sessions/--w--/2026-11-15T00-00-00-000Z_x.jsonl'))
    const sessions = sessionsAt()
    expect(await sessions.list('pi')).toEqual([])
    expect(sessions.warnings[0]?.message).toContain('newer')
  })

  test('a folder that may not be read is named, and what was known of it stays', async () => {
    if (process.getuid?.() === 0) return
    put(good(), claudeFile())
    expect((await sessionsAt().totalCost()).outputTokens).toBe(75)
    chmodSync(dirname(claudeFile()), 0)
    const sessions = sessionsAt()
    expect((await sessions.totalCost()).outputTokens).toBe(75)
    expect(sessions.warnings).toMatchObject([{ path: dirname(claudeFile()) }])
    chmodSync(dirname(claudeFile()), 0o755)
  })

  test('a line without an end takes neither memory nor time', async () => {
    put(good(), claudeFile())
    const file = openSync(claudeFile(), 'a')
    const piece = Buffer.alloc(1 << 20, 0x78)
    for (let megabytes = 0; megabytes < 100; megabytes++) writeSync(file, piece)
    closeSync(file)
    const start = process.cpuUsage()
    expect((await sessionsAt().totalCost()).outputTokens).toBe(75)
    const { user, system } = process.cpuUsage(start)
    expect((user + system) / 1e6).toBeLessThan(5)
  })
})

describe('databases of agents', () => {
  const store = () => at('.local/share/opencode/opencode.db')

  test('one that is no database, or of another make, is named', async () => {
    put('this is no database, but long enough to be taken for one at first sight', store())
    put(good(), claudeFile())
    const sessions = sessionsAt()
    expect((await sessions.totalCost()).outputTokens).toBe(75)
    expect(sessions.warnings).toMatchObject([{ agent: 'opencode', path: store() }])
    rmSync(store())
    const other = await openWritable(store())
    other.exec('CREATE TABLE something (else_ TEXT)')
    other.close()
    expect((await sessions.totalCost()).outputTokens).toBe(75)
    expect(sessions.warnings).toMatchObject([{ agent: 'opencode', path: store() }])
  })

  test('one that another process has locked is named, at once', async () => {
    mkdirSync(dirname(store()), { recursive: true })
    const owner = await openWritable(store())
    open.push(owner)
    owner.exec('CREATE TABLE session (id TEXT)')
    owner.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    const sessions = sessionsAt()
    const start = performance.now()
    expect(await sessions.list('opencode')).toEqual([])
    expect(performance.now() - start).toBeLessThan(5000)
    expect(sessions.warnings).toMatchObject([{ agent: 'opencode', path: store() }])
    owner.exec('ROLLBACK')
  })
})

describe('our own index', () => {
  test('is made anew when it is damaged, before or while it is open', async () => {
    put(good(), claudeFile())
    put('rubbish'.repeat(1000), database())
    expect((await sessionsAt().totalCost()).outputTokens).toBe(75)
    for (const one of open.splice(0)) one.close()
    const whole = readFileSync(database())
    for (let page = 1; page * 4096 < whole.length; page++) {
      const bytes = Buffer.from(whole)
      bytes.fill(0x55, page * 4096, (page + 1) * 4096)
      put(bytes, database())
      const sessions = sessionsAt()
      expect((await sessions.totalCost()).outputTokens).toBe(75)
      expect(await sessions.search({ text: 'second' })).toHaveLength(1)
      sessions.close()
    }
  })

  test('serves several processes at once, of which some are killed', async () => {
    for (let n = 10; n < 40; n++) {
      const id = `aaaaaaaa-bbbb-4ccc-8ddd-0000000000${n}`
      put(good().toString().replaceAll('mock', `m${n}`), claudeFile(id))
    }
    const program = `
      import { createClient } from ${JSON.stringify(join(import.meta.dirname, '..', '..', 'dist', 'index.js'))}
      const { sessions } = createClient()
      console.log((await sessions.totalCost()).outputTokens)
      sessions.close()`
    const start = () =>
      spawn(process.execPath, ['--input-type=module', '-e', program], {
        env: { HOME: home, PATH: process.env.PATH },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
    const killed = [start(), start()]
    const others = [start(), start(), start()]
    const printed = others.map(async (child) => {
      let text = ''
      child.stdout.on('data', (chunk) => {
        text += chunk
      })
      await once(child, 'close')
      return Number(text)
    })
    setTimeout(() => {
      for (const child of killed) child.kill('SIGKILL')
    }, 250)
    expect(await Promise.all(printed)).toEqual([30 * 75, 30 * 75, 30 * 75])
    expect((await sessionsAt().totalCost()).outputTokens).toBe(30 * 75)
  }, 60_000)

  test('nothing is written to an agent`s own store', async () => {
    put(good(), claudeFile())
    cpSync(join(FIXTURES, 'codex/fixtures/sessions/s-fork.jsonl'), at('.codex/sessions/2026/rollout-x.jsonl'), {
      recursive: true,
    })
    for (const path of [claudeFile(), at('.codex/sessions/2026/rollout-x.jsonl')]) chmodSync(path, 0o444)
    const sessions = sessionsAt()
    await sessions.refresh({ text: true })
    expect(readFileSync(claudeFile())).toEqual(good())
    chmodSync(claudeFile(), 0o644)
    appendFileSync(claudeFile(), '\n')
    expect((await sessions.totalCost({ agent: 'claude' })).outputTokens).toBe(75)
  })
})
