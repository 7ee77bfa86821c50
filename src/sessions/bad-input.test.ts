import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { at, claudeFile, good, ID, keep, put, sessionsAt, useSessionHome } from '../../test/support/session-home.ts'
import { canBeRefused, unprivileged } from '../../test/support/unprivileged.ts'
import { openWritable } from '../files/sqlite.ts'

useSessionHome()

describe('files that are not sessions', () => {
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
    // Known from now on, and still reported.
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

  test.skipIf(!canBeRefused).each([
    { mode: 0, named: () => dirname(claudeFile()) },
    { mode: 0o444, named: () => claudeFile() },
  ])('a folder of mode $mode is named, and what was known of it stays', ({ mode, named }) => {
    put(good(), claudeFile())
    expect(askUnprivileged().outputTokens).toBe(75)
    chmodSync(dirname(claudeFile()), mode)
    const { outputTokens, warnings } = askUnprivileged()
    expect(outputTokens).toBe(75)
    expect(warnings).toMatchObject([{ path: named() }])
    chmodSync(dirname(claudeFile()), 0o755)
  })

  test('a line of 700 MB takes neither memory nor time', () => {
    put(good(), claudeFile())
    truncateSync(claudeFile(), 700e6) // holes are read as zeros, and take no room
    appendFileSync(claudeFile(), `\n${good().toString().replaceAll('mock', 'm40')}`)
    const program = `
      import { createClient } from ${JSON.stringify(join(import.meta.dirname, '..', '..', 'dist', 'index.js'))}
      const { sessions } = createClient()
      const { outputTokens } = await sessions.totalCost()
      const found = await sessions.search({ text: 'second' })
      const stop = new AbortController()
      for await (const event of sessions.watch('claude', '${ID}', { turns: 9, signal: stop.signal })) stop.abort()
      const { user, system } = process.cpuUsage()
      const megabytes = process.resourceUsage().maxRSS / 1000
      console.log(JSON.stringify({ outputTokens, found: found.length, warnings: sessions.warnings, megabytes, cpu: (user + system) / 1e6 }))
      sessions.close()`
    const env = { HOME: at(), PATH: process.env.PATH }
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8', env })
    const { megabytes, cpu, ...reported } = JSON.parse(printed)
    expect(reported).toMatchObject({
      outputTokens: 150,
      found: 1,
      warnings: [{ message: expect.stringContaining('MB') }],
    })
    expect(megabytes).toBeLessThan(200)
    expect(cpu).toBeLessThan(10)
  }, 60_000)
})

/** What a process sees that permissions hold back, which they do not for root. */
function askUnprivileged(): { outputTokens: number; warnings: unknown } {
  const program = `
    import { createClient } from ${JSON.stringify(join(import.meta.dirname, '..', '..', 'dist', 'index.js'))}
    const { sessions } = createClient()
    const { outputTokens } = await sessions.totalCost()
    console.log(JSON.stringify({ outputTokens, warnings: sessions.warnings }))
    sessions.close()`
  const [command, args] = unprivileged(process.execPath, '--input-type=module', '-e', program)
  const env = { HOME: at(), PATH: process.env.PATH }
  return JSON.parse(execFileSync(command, args, { cwd: at(), encoding: 'utf8', env }))
}

describe('what else may lie in a folder', () => {
  const other = (n: number) => claudeFile(`aaaaaaaa-bbbb-4ccc-8ddd-0000000000${n}`)
  const total = async () => (await sessionsAt().totalCost()).outputTokens

  test('a pipe, which nobody ever writes to', async () => {
    put(good(), claudeFile())
    execFileSync('mkfifo', [other(20)])
    symlinkSync(other(20), other(21))
    mkdirSync(at('.local/share/opencode'), { recursive: true })
    execFileSync('mkfifo', [at('.local/share/opencode/opencode.db')])
    const sessions = sessionsAt()
    expect((await sessions.totalCost()).outputTokens).toBe(75)
    expect(sessions.warnings).toMatchObject([{ agent: 'opencode', message: 'It is not a file' }])
  })

  test('links in a ring, and one to nothing', async () => {
    put(good(), claudeFile())
    symlinkSync(at('.claude'), at('.claude/projects/-workspace/up'))
    symlinkSync(at('.claude/projects/-workspace'), at('.claude/projects/-again'))
    symlinkSync(other(23), other(22))
    symlinkSync(other(22), other(23))
    expect(await total()).toBe(75)
  })

  test('names that hold anything', async () => {
    for (const name of ['-new\nline', '-\u00fc\u4e2d\ud83d\ude00', '-"quote\' %00', '- ']) {
      put(good(), at('.claude/projects', name, `${ID}.jsonl`))
    }
    const folder = Buffer.concat([Buffer.from(at('.claude/projects/')), Buffer.from([0x2d, 0xff, 0xfe])])
    mkdirSync(folder)
    writeFileSync(Buffer.concat([folder, Buffer.from(`/${ID}.jsonl`)]), good())
    const sessions = sessionsAt()
    expect((await sessions.totalCost()).outputTokens).toBe(75)
    expect(await sessions.search({ text: 'second' })).toHaveLength(1)
    expect(sessions.warnings).toMatchObject([{ message: 'This folder cannot be read' }])
  })

  test('a time that is yet to come, and one before all times', async () => {
    put(good(), claudeFile())
    put(good().toString().replaceAll('mock', 'm30'), other(30))
    utimesSync(claudeFile(), new Date('2099-01-01'), new Date('2099-01-01'))
    utimesSync(other(30), new Date(0), new Date(0))
    const sessions = sessionsAt()
    expect((await sessions.list()).map(({ updatedAt }) => new Date(updatedAt).getUTCFullYear())).toEqual([2026, 2026])
    expect(await total()).toBe(150)
    appendFileSync(claudeFile(), good().toString().replaceAll('mock', 'm31'))
    utimesSync(claudeFile(), new Date('2098-01-01'), new Date('2098-01-01'))
    expect(await total()).toBe(225)
  })

  test('a file that gets shorter while it is read', async () => {
    const whole = good().toString().repeat(40)
    put(whole, claudeFile())
    const cut = setInterval(() => truncateSync(claudeFile(), 20_000), 1)
    for (let n = 0; n < 20; n++) {
      expect(await total()).toBeLessThanOrEqual(75)
      put(whole, claudeFile())
    }
    clearInterval(cut)
    put(good(), claudeFile())
    expect(await total()).toBe(75)
  })

  test('a document that is too large to be read whole', async () => {
    const path = at('.continue/sessions', `${ID}.json`)
    put('{', path)
    truncateSync(path, 700e6)
    const sessions = sessionsAt()
    expect(await sessions.search({ text: 'anything' })).toEqual([])
    expect(sessions.warnings[0]).toMatchObject({ path, message: 'It is too large to be read whole: 700 MB' })
  })
})

describe('databases of agents', () => {
  const store = () => at('.local/share/opencode/opencode.db')

  test('one that is not a database, or of another make, is named', async () => {
    put('this is not a database, but long enough to be taken for one at first sight', store())
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
    keep(owner)
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
