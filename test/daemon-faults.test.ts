import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Change } from '../src/client/index.ts'
import { openWritable } from '../src/files/sqlite.ts'
import { processesOfRun } from '../src/process/process-table.ts'
import { buildPackage, countedIn, DaemonHome, type DaemonPackage, upTo } from './support/daemons.ts'
import { isAlive, sendSignal } from './support/processes.ts'
import { smallDisk } from './support/small-disk.ts'
import { times } from './support/times.ts'
import { until } from './support/until.ts'

let built: DaemonPackage
let daemon: DaemonHome

beforeAll(() => {
  built = buildPackage()
})
afterAll(() => built.remove())
afterEach(() => daemon.remove())

async function served(agents = built.counting): Promise<DaemonHome> {
  daemon = new DaemonHome(built, agents)
  await daemon.serve()
  return daemon
}

function numbersOf(changes: readonly Change[]): number[] {
  return changes.flatMap((change) => (change.kind === 'event' ? [change.n] : []))
}

describe('kill -9 of the daemon', () => {
  test('at random points under load: agents go on, and every event is told once', async () => {
    await served()
    const total = 600
    const ids = await Promise.all(upTo(4).map(async () => (await daemon.spawn(`count ${total}`)).id))
    const stop = new AbortController()
    const seen: Change[] = []
    const reading = (async () => {
      for await (const change of daemon.client.changes({ after: 0, signal: stop.signal })) seen.push(change)
    })()
    for (let kills = 0; kills < times(3, 10); kills++) {
      await sleep(Math.random() * 150)
      await daemon.kill()
      await daemon.serve()
    }
    for (const id of ids) {
      await daemon.session(id, 'the end of the turn', ({ usage }) => usage.turns === 1, 60_000)
      const changes = await daemon.changes(id)
      expect(countedIn(changes)).toEqual(upTo(total))
      expect(numbersOf(changes)).toEqual(upTo(numbersOf(changes).length))
    }
    const { lastSeq } = await daemon.client.call('health')
    await until('the reader is at the end', () => (seen.at(-1)?.seq ?? 0) >= lastSeq)
    stop.abort()
    await reading
    expect(
      seen.map(({ seq }) => seq),
      'one reader, over all these daemons',
    ).toEqual(upTo(lastSeq))
  }, 300_000)
})

test('a request with a key is carried out once, however often it is sent while daemons are killed', async () => {
  await served()
  const kill = async () => {
    await sleep(Math.random() * 250)
    await daemon.kill()
    await daemon.serve()
  }
  for (let round = 1; round <= times(2, 6); round++) {
    const key = `round ${round}`
    const [ids] = await Promise.all([
      Promise.all(upTo(8).map(async () => (await daemon.spawn('count 5', { key })).id)),
      kill(),
    ])
    const [id = ''] = ids
    expect(new Set(ids)).toEqual(new Set([id]))
    expect(await daemon.client.call('listSessions')).toHaveLength(round)
    await daemon.session(id, 'the end of the turn', ({ usage }) => usage.turns === 1)
    const send = () => daemon.client.call('send', { id, text: 'count 3', key })
    await Promise.all([...upTo(8).map(send), kill()])
    await daemon.session(id, 'the end of the next', ({ usage }) => usage.turns === 2)
    const changes = await daemon.changes(id)
    expect(countedIn(changes), 'one turn of each').toEqual([...upTo(5), ...upTo(3)])
    expect(changes.filter(({ kind }) => kind === 'message')).toHaveLength(2)
    await daemon.client.call('kill', { id })
  }
}, 180_000)

describe('kill -9 of a runner', () => {
  test('at random points: nothing is lost, no agent is left, and the session says what happened', async () => {
    await served()
    const ids = await Promise.all(upTo(times(6, 20)).map(async () => (await daemon.spawn('count 300')).id))
    await Promise.all(
      ids.map(async (id) => {
        await sleep(Math.random() * 1500)
        const { runner } = daemon.runnerInfo(`${id}-1`)
        sendSignal(runner.pid, 'SIGKILL')
        const session = await daemon.session(id, 'the end', ({ isLive }) => !isLive, 40_000)
        expect(session).toMatchObject({ activity: { state: 'exited' }, outcome: { kind: 'crashed' } })
        expect(session.outcome?.evidence).toContain('runner')
        const changes = await daemon.changes(id)
        expect(countedIn(changes)).toEqual(upTo(countedIn(changes).length))
        expect(numbersOf(changes)).toEqual(upTo(numbersOf(changes).length))
        await until('no orphan', () => processesOfRun(daemon.runIdOf(`${id}-1`)).length === 0)
      }),
    )
  }, 120_000)
})

describe('kill -9 of an agent', () => {
  test('at random points: its outcome is told', async () => {
    await served()
    const one = async () => {
      const { id } = await daemon.spawn('count 3000')
      await daemon.inState(id, 'active')
      await sleep(Math.random() * 1500)
      sendSignal(await until('its agent', () => daemon.runnerInfo(`${id}-1`).agent?.pid), 'SIGKILL')
      const session = await daemon.session(id, 'the end', ({ isLive }) => !isLive, 40_000)
      expect(session).toMatchObject({ activity: { state: 'exited' }, outcome: { kind: 'crashed' } })
    }
    for (let round = 0; round < times(2, 5); round++) await Promise.all(upTo(4).map(one))
  }, 120_000)
})

test('after a reboot sessions are exited and can be restored', async () => {
  await served(built.scenes)
  const { id } = await daemon.spawn('say before')
  await daemon.inState(id, 'idle')
  const { runner, agent } = daemon.runnerInfo(`${id}-1`)
  await daemon.kill()
  // What a machine that goes down does, and then everything it knew of processes is of another boot.
  for (const pid of [runner.pid, agent?.pid]) sendSignal(pid, 'SIGKILL')
  const path = join(daemon.dataDir, 'launches', `${id}-1`, 'runner.json')
  const info = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(path, JSON.stringify({ ...info, runner: { ...info.runner, pid: process.pid, bootId: 'earlier' } }))
  await daemon.serve()
  const session = await daemon.session(id, 'exited', ({ isLive }) => !isLive)
  expect(session.activity).toMatchObject({ state: 'exited', why: expect.stringContaining('restarted') })
  expect(await daemon.client.call('planRestore', { id })).toMatchObject({ kind: 'replay' })
  const { plan } = await daemon.client.call('restore', { id, prompt: 'say after' })
  expect(plan.kind).toBe('replay')
  const restored = await daemon.inState(id, 'idle')
  expect(restored).toMatchObject({ launch: 2, isLive: true })
  expect(restored.summary).toContain('You said: say before')
  expect(restored.summary).toContain('say after')
})

describe('two at once', () => {
  test('many that start serve as one', async () => {
    daemon = new DaemonHome(built, built.scenes)
    const spawned = await Promise.all(upTo(4).map((n) => daemon.amux('spawn', 'claude', 'say', String(n), '--json')))
    for (const { code, stderr } of spawned) expect([code, stderr]).toEqual([0, ''])
    expect(await daemon.client.call('listSessions')).toHaveLength(4)
    const { pid } = await daemon.client.call('health')
    const log = readFileSync(join(daemon.dataDir, 'daemon.log'), 'utf8').trim().split('\n')
    const serving = log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'serving')
    expect(serving.map((entry) => entry.pid)).toEqual([pid])
    expect((await daemon.amux('kill', '--all')).code).toBe(0)
    expect((await daemon.amux('stop')).code).toBe(0)
  }, 60_000)
})

test('a daemon that cannot have its port says so and ends; the agents that it had taken up go on', async () => {
  await served(built.scenes)
  const { id } = await daemon.spawn('say hello')
  await daemon.inState(id, 'idle')
  await daemon.kill()
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const address = taken.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const { code, stderr } = await daemon.amux('serve', '--port', String(port))
  taken.close()
  expect([code, stderr]).toEqual([7, expect.stringContaining(`Port ${port} is taken`)])
  await daemon.serve()
  expect((await daemon.inState(id, 'idle')).isLive).toBe(true)
}, 60_000)

test('a daemon that answers is not waited for, and one that does not is named', async () => {
  await served()
  const begin = Date.now()
  expect((await daemon.amux('status')).code).toBe(0)
  expect(Date.now() - begin, 'less than what a silent one gets').toBeLessThan(4500)
  sendSignal(daemon.pid, 'SIGSTOP')
  const { code, stderr } = await daemon.amux('ls')
  sendSignal(daemon.pid, 'SIGCONT')
  expect(code).not.toBe(0)
  expect(stderr).toContain(`The daemon (process ${daemon.pid}) does not answer`)
  expect(stderr).toContain(`kill ${daemon.pid}`)
  expect((await daemon.amux('ls')).code).toBe(0)
}, 60_000)

test('when its directory is removed the daemon ends with all its agents, and makes nothing anew', async () => {
  await served()
  const { id } = await daemon.spawn('count 3000')
  await daemon.inState(id, 'active')
  const { runner } = daemon.runnerInfo(`${id}-1`)
  const runId = daemon.runIdOf(`${id}-1`)
  const { pid } = daemon
  rmSync(daemon.dataDir, { recursive: true })
  await until('nobody is left', () => ![pid, runner.pid, ...processesOfRun(runId)].some(isAlive), 20_000)
  expect(existsSync(daemon.dataDir)).toBe(false)
}, 60_000)

test('a locked database holds things up and loses nothing', async () => {
  await served()
  const { id } = await daemon.spawn('count 400')
  await daemon.inState(id, 'active')
  const other = await openWritable(join(daemon.dataDir, 'daemon.db'))
  other.exec('BEGIN IMMEDIATE')
  await sleep(7000) // longer than anybody waits for a lock
  other.exec('COMMIT')
  other.close()
  await daemon.session(id, 'the end of the turn', ({ usage }) => usage.turns === 1, 60_000)
  expect(countedIn(await daemon.changes(id))).toEqual(upTo(400))
}, 90_000)

test('a full disk: what is told is true, and the daemon goes on when there is room again', async ({ skip }) => {
  const disk = smallDisk()
  if (disk === null) return skip('mounting a file system is not allowed here')
  daemon = new DaemonHome(built, built.counting, { dataDir: disk.path })
  try {
    await daemon.serve()
    const { id } = await daemon.spawn('count 300')
    await daemon.inState(id, 'active')
    const makeRoom = disk.fill()
    await sleep(3000)
    await expect(daemon.spawn('count 1')).rejects.toThrow()
    expect((await daemon.client.call('health')).ok).toBe(true)
    makeRoom()
    const settled = await daemon.session(id, 'an end', (one) => !one.isLive || one.usage.turns === 1, 60_000)
    const changes = await daemon.changes(id)
    expect(countedIn(changes)).toEqual(upTo(countedIn(changes).length))
    if (settled.isLive) expect(countedIn(changes)).toEqual(upTo(300))
    const next = await daemon.spawn('count 3')
    await daemon.session(next.id, 'work as before', ({ usage }) => usage.turns === 1)
  } finally {
    await daemon.remove()
    disk.remove()
    daemon = new DaemonHome(built, built.counting)
  }
}, 120_000)
