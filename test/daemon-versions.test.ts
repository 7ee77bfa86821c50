import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Change } from '../src/client/index.ts'
import { liveRegistration } from '../src/daemon/registration.ts'
import { ownVersion } from '../src/files/own-version.ts'
import { openReadOnly } from '../src/files/sqlite.ts'
import { buildPackage, countedIn, DaemonHome, type DaemonPackage, packageOf, upTo } from './support/daemons.ts'
import { isAlive } from './support/processes.ts'
import { until } from './support/until.ts'

// Three real packages: the one that stands here, one from before, and one that is to come, with a step more in its
// database. They meet in one data directory as they do on the machine of somebody who updates.
let now: DaemonPackage
let older: DaemonPackage
let newer: DaemonPackage
let foreign: DaemonPackage
let daemon: DaemonHome

const OWN = ownVersion()
const LAST_STEP = 'PRIMARY KEY (agent, account)\n  ) WITHOUT ROWID;\n  `]'
const ONE_STEP_MORE = `${LAST_STEP.slice(0, -1)}, 'ALTER TABLE sessions ADD COLUMN colour TEXT', ]`

beforeAll(() => {
  now = buildPackage()
  older = packageOf(now, '0.0.9')
  newer = packageOf(now, '99.0.0', { 'dist/programs': [[LAST_STEP, ONE_STEP_MORE]] })
  foreign = packageOf(now, '99.1.0', { 'dist/programs': [['`/api/v1`', '`/api/v2`']] })
})
afterAll(() => {
  for (const one of [foreign, newer, older, now]) one.remove()
})
beforeEach(() => {
  daemon = new DaemonHome(now, now.counting)
})
afterEach(async () => {
  const isServed = (await liveRegistration(daemon.dataDir).catch(() => null)) !== null
  for (const args of isServed ? [['kill', '--all'], ['stop']] : []) await daemon.amux(...args)
  await daemon.stop()
  rmSync(join(daemon.dataDir, 'daemon.json'), { force: true })
  await daemon.remove()
})

async function version(): Promise<string> {
  return (await daemon.client.call('health')).version
}

function numbersOf(changes: readonly Change[]): number[] {
  return changes.flatMap((change) => (change.kind === 'event' ? [change.n] : []))
}

/** That agent counts, and goes on to; whatever happened to the daemon, each number was told once. */
async function expectWhole(id: string, total: number): Promise<void> {
  await daemon.session(id, 'the end of the turn', ({ usage }) => usage.turns === 1, 60_000)
  const changes = await daemon.changes(id)
  expect(countedIn(changes)).toEqual(upTo(total))
  expect(numbersOf(changes)).toEqual(upTo(numbersOf(changes).length))
}

async function databaseOf({ dataDir }: DaemonHome): Promise<unknown> {
  const database = await openReadOnly(join(dataDir, 'daemon.db'))
  const tables = ['sessions', 'launches', 'change_log', 'sqlite_master', 'pragma_user_version']
  const rows = tables.map((name) => database.all(`SELECT * FROM ${name}`))
  database.close()
  return rows
}

async function processesOf(id: string): Promise<{ runner: number; agent: number }> {
  return until('the agent is registered', () => {
    const { runner, agent } = daemon.runnerInfo(`${id}-1`)
    return agent && { runner: runner.pid, agent: agent.pid }
  })
}

describe('a daemon that is older than the command', () => {
  test('makes place when nobody uses it, and what it knew is there', async () => {
    daemon.use(older)
    await daemon.serve()
    const { id } = await daemon.spawn('count 3')
    await daemon.session(id, 'the end of the turn', ({ usage }) => usage.turns === 1)
    expect((await daemon.amux('kill', id)).code).toBe(0)
    daemon.use(now)
    const { code, stdout, stderr } = await daemon.amux('ls', '--json')
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toMatchObject({ data: [{ id, outcome: { kind: 'cancelled' } }] })
    expect(await version()).toBe(OWN)
  }, 60_000)

  test('goes on while its agents work, and says how it is replaced; they work on through that, too', async () => {
    daemon.use(older)
    await daemon.serve()
    const total = 900
    const { id } = await daemon.spawn(`count ${total}`)
    await daemon.inState(id, 'active')
    const before = await processesOf(id)
    daemon.use(now)
    const told = await daemon.amux('ls')
    expect(told.code).toBe(0)
    expect(told.stdout).toContain(id)
    expect(told.stderr).toContain(`the daemon is version 0.0.9, this is ${OWN}. \`amux stop\` lets a new one take over`)
    expect(await version()).toBe('0.0.9')
    expect((await daemon.amux('stop')).stdout).toContain('1 agent goes on without it')
    expect(await daemon.amux('show', id)).toMatchObject({ code: 0, stderr: '' })
    expect(await version()).toBe(OWN)
    expect(await processesOf(id), 'the same processes').toEqual(before)
    expect(Object.values(before).every(isAlive)).toBe(true)
    await expectWhole(id, total)
    await daemon.client.call('send', { id, text: 'count 2' })
    const again = await daemon.session(id, 'another turn, by the older runner', ({ usage }) => usage.turns === 2)
    expect(again).toMatchObject({ isLive: true, launch: 1 })
  }, 120_000)
})

test('a daemon that is newer than the command does what it is asked, and the user is told what to do', async () => {
  daemon.use(newer)
  await daemon.serve()
  daemon.use(now)
  const { code, stdout, stderr } = await daemon.amux('spawn', 'claude', 'count', '3', '--json')
  expect(code).toBe(0)
  expect(stderr).toContain(`the daemon is version 99.0.0, this is ${OWN}. Update this amux.`)
  expect(await version()).toBe('99.0.0')
  await expectWhole(JSON.parse(stdout).data.id, 3)
}, 60_000)

test('a daemon that speaks another language is named with what can be done, and left alone', async () => {
  daemon.use(foreign)
  await daemon.serve().catch(() => undefined) // the client of these tests does not speak it either
  const { pid } = await until('the daemon', () => liveRegistration(daemon.dataDir))
  daemon.use(now)
  for (const args of [['ls'], ['status'], ['spawn', 'claude', 'count 1'], ['stop']]) {
    const { code, stdout, stderr } = await daemon.amux(...args)
    expect([code === 0, stdout]).toEqual([false, ''])
    expect(stderr).toContain(`The daemon (process ${pid}) is version 99.1.0 and does not understand this amux, ${OWN}`)
    expect(stderr).toContain('Update this amux')
    expect(stderr).not.toContain('    at ')
  }
  expect(isAlive(pid)).toBe(true)
}, 60_000)

test('a database of a newer version is left as it is; its agents work on, and the newer one misses nothing', async () => {
  daemon.use(newer)
  await daemon.serve()
  const total = 900
  const { id } = await daemon.spawn(`count ${total}`)
  await daemon.inState(id, 'active')
  const before = await processesOf(id)
  await daemon.stop()
  const known = await databaseOf(daemon)
  daemon.use(now)
  for (const args of [['ls'], ['serve', '--port', '0'], ['send', id, 'x']]) {
    const { code, stdout, stderr } = await daemon.amux(...args)
    expect([code === 0, stdout]).toEqual([false, ''])
    expect(stderr).toContain('daemon.db was written by a newer agent-mux')
    expect(stderr).toContain('Update agent-mux')
    expect(stderr).not.toContain('    at ')
  }
  expect((await daemon.amux('doctor')).stdout, 'a look needs no daemon').not.toContain('runner')
  expect(await databaseOf(daemon)).toEqual(known)
  expect(await liveRegistration(daemon.dataDir)).toBeNull()
  daemon.use(newer)
  await daemon.serve()
  expect(await processesOf(id)).toEqual(before)
  await expectWhole(id, total)
}, 120_000)

test('an older database is brought up to date with its agents at work', async () => {
  await daemon.serve()
  const total = 600
  const { id } = await daemon.spawn(`count ${total}`)
  await daemon.inState(id, 'active')
  await daemon.kill()
  daemon.use(newer)
  await daemon.serve()
  expect(await version()).toBe('99.0.0')
  await expectWhole(id, total)
}, 60_000)

test('a registration in a form that is not known yet is nothing to overwrite', async () => {
  mkdirSync(daemon.dataDir, { recursive: true, mode: 0o700 })
  const path = join(daemon.dataDir, 'daemon.json')
  const text = JSON.stringify({ format: 2, address: { socket: '/run/amux' }, version: '99.0.0' })
  writeFileSync(path, text, { mode: 0o600 })
  for (const args of [['serve'], ['ls'], ['status'], ['doctor']]) {
    const { code, stderr } = await daemon.amux(...args)
    expect(code).not.toBe(0)
    expect(stderr).toContain('daemon.json was written by a newer agent-mux')
    expect(stderr).toContain('Update agent-mux')
  }
  expect(readFileSync(path, 'utf8')).toBe(text)
}, 60_000)

test('a package that is replaced in its place, or gone, ends no agent', async () => {
  const installed = packageOf(older, '0.0.8')
  const place = dirname(dirname(installed.cli))
  daemon.use(installed)
  await daemon.serve()
  const ids = await Promise.all(upTo(2).map(async () => (await daemon.spawn('count 400')).id))
  for (const id of ids) await daemon.inState(id, 'active')
  rmSync(place, { recursive: true })
  await daemon.kill()
  for (const id of ids) expect(Object.values(await processesOf(id)).every(isAlive)).toBe(true)
  cpSync(dirname(dirname(now.cli)), place, { recursive: true, verbatimSymlinks: true })
  await daemon.serve()
  expect(await version()).toBe(OWN)
  for (const id of ids) {
    await expectWhole(id, 400)
    const session = await daemon.client.call('getSession', { id })
    expect(session.usage.costUsd).toBe(0.01)
    await daemon.client.call('kill', { id })
    const ended = await daemon.session(id, 'its end', ({ isLive }) => !isLive)
    expect(ended.outcome?.kind, 'an end that its runner has told').toBe('cancelled')
  }
  installed.remove()
}, 120_000)
