import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { processesCalledWith, processesWith } from '../src/process/process-table.ts'
import { buildPackage, DaemonHome, type DaemonPackage, upTo } from './support/daemons.ts'
import { isAlive, sendSignal } from './support/processes.ts'
import { times } from './support/times.ts'
import { until } from './support/until.ts'

let built: DaemonPackage
let daemon: DaemonHome

beforeAll(() => {
  built = buildPackage()
})
afterAll(() => built.remove())
afterEach(() => daemon.remove())

async function served(): Promise<DaemonHome> {
  daemon = new DaemonHome(built, built.counting)
  await daemon.serve()
  return daemon
}

function launchDir(id: string): string {
  return join(daemon.dataDir, 'launches', `${id}-1`)
}

const isClaimed = (id: string) => existsSync(join(launchDir(id), 'runner.json'))
const runnersOf = (id: string) => processesCalledWith(launchDir(id))
const agentsOf = (id: string) => processesWith([[`AMUX_SESSION_ID=${id}`]])

/** The prompt of a session was given to its agent. */
function hasRun(id: string): boolean {
  const path = join(launchDir(id), 'native.ndjson')
  return existsSync(path) && readFileSync(path, 'utf8').includes('"assistant"')
}

/** Spawns without waiting for the answer, and gives the id and the process of the runner as soon as they are there. */
async function spawnEarly(prompt: string): Promise<{ id: string; runner: number; answer: Promise<unknown> }> {
  const known = new Set((await daemon.client.call('listSessions')).map(({ id }) => id))
  const answer = daemon.spawn(prompt).catch(() => undefined)
  const id = await until('a new session', async () => {
    const found = await daemon.client.call('listSessions')
    return found.find((one) => !known.has(one.id))?.id
  })
  const runner = await until('its runner', () => runnersOf(id)[0] ?? (isClaimed(id) ? 0 : null))
  return { id, runner, answer }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    sendSignal(pid, name)
  } catch {
    // it was faster
  }
}

describe('a runner that dies before it has claimed its launch', () => {
  test('is a failed start with its reason, and nothing of it starts later', async () => {
    await served()
    const { id } = await daemon.spawn('count 5', { environment: { NODE_OPTIONS: '--no-such-option' } })
    const session = await daemon.session(id, 'the end', ({ isLive }) => !isLive)
    expect(session.outcome).toMatchObject({ kind: 'failed', code: 'SPAWN_ERROR' })
    expect(session.activity.why).toMatch(/exit code 9.*--no-such-option is not allowed in NODE_OPTIONS/)
    const other = await daemon.spawn('count 5', { environment: { NODE_OPTIONS: '--require /gone.cjs' } })
    const { activity } = await daemon.session(other.id, 'the end', ({ isLive }) => !isLive)
    expect(activity.why).toMatch(/exit code 1.*Cannot find module '\/gone.cjs'/)
    await daemon.kill()
    await daemon.serve()
    expect(await daemon.client.call('health')).toMatchObject({ live: 0, queued: 0 })
    expect((await daemon.amux('rm', id)).code).toBe(0)
  })

  test('at 8 random points, with daemons killed in between: the session ends, or runs once', async () => {
    await served()
    const rounds = upTo(8).map(async (round) => {
      const { id, runner } = await spawnEarly(`count ${round}`)
      await sleep(Math.random() * 200)
      signal(runner, 'SIGKILL')
      return id
    })
    const restart = (async () => {
      await sleep(Math.random() * 300)
      await daemon.kill()
      await daemon.serve()
    })()
    const ids = await Promise.all(rounds)
    await restart
    for (const id of ids) {
      const settled = await daemon.session(id, 'an end', (one) => !one.isLive || one.usage.turns === 1)
      if (settled.isLive) continue
      expect(settled.outcome?.kind).toMatch(/failed|crashed/)
      await until('no process', () => agentsOf(id).length + runnersOf(id).length === 0)
    }
  }, 120_000)
})

describe('a session that was killed before its runner had claimed it', () => {
  test('never starts, whether its runner goes on or a new daemon comes', async () => {
    await served()
    const { id, runner } = await spawnEarly('count 5')
    signal(runner, 'SIGSTOP')
    const wasEarly = !isClaimed(id)
    const begin = Date.now()
    const killed = await daemon.amux('kill', id)
    expect([killed.code, killed.stderr]).toEqual([0, ''])
    expect(Date.now() - begin).toBeLessThan(15_000)
    signal(runner, 'SIGCONT')
    await daemon.kill()
    await daemon.serve()
    const session = await daemon.client.call('getSession', { id })
    expect(session).toMatchObject({ isLive: false, outcome: { kind: 'cancelled' } })
    await until('no process', () => agentsOf(id).length + runnersOf(id).length === 0)
    if (wasEarly) expect(hasRun(id)).toBe(false)
    expect((await daemon.amux('rm', id)).code).toBe(0)
  }, 60_000)

  test('at random points, with a new daemon after each', async () => {
    await served()
    for (const _ of upTo(times(2, 6))) {
      const { id, answer } = await spawnEarly('count 5')
      await sleep(Math.random() * 150)
      const killing = daemon.client.call('kill', { id }).catch(() => undefined)
      await sleep(Math.random() * 60)
      await daemon.kill()
      await daemon.serve()
      await Promise.all([killing, answer])
      const settled = await daemon.session(id, 'an end', (one) => !one.isLive || one.usage.turns === 1)
      // The daemon may have died before it had heard of the kill.
      if (settled.isLive) await daemon.client.call('kill', { id })
      const before = hasRun(id)
      await daemon.kill()
      await daemon.serve()
      expect(await daemon.client.call('getSession', { id })).toMatchObject({ isLive: false })
      expect(hasRun(id), 'nothing of it runs after it has ended').toBe(before)
      expect(agentsOf(id)).toEqual([])
    }
  }, 180_000)

  test('one that waits in the queue is gone for good, also when the database is put back', async () => {
    daemon = new DaemonHome(built, built.counting)
    daemon.settings({ maxLive: 1 })
    await daemon.serve()
    const first = await daemon.spawn('count 3000')
    const second = await daemon.spawn('count 5')
    expect(second.activity.why).toContain('place')
    await daemon.stop()
    const path = join(daemon.dataDir, 'daemon.db')
    const earlier = readFileSync(path)
    await daemon.serve()
    expect((await daemon.amux('kill', second.id)).code).toBe(0)
    await daemon.stop()
    for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true })
    writeFileSync(path, earlier)
    await daemon.serve()
    await daemon.client.call('kill', { id: first.id })
    await daemon.session(second.id, 'the end', ({ isLive }) => !isLive)
    expect(hasRun(second.id)).toBe(false)
  }, 120_000)
})

describe('a session that is killed while it is being restored', () => {
  test('does not start; and it can still be restored when a restore has come to nothing', async () => {
    await served()
    const { id } = await daemon.spawn('count 2')
    await daemon.session(id, 'its turn', ({ usage }) => usage.turns === 1)
    await daemon.client.call('kill', { id })
    // What a daemon leaves that dies, or finds the disk full, before the launch is on record.
    mkdirSync(join(daemon.dataDir, 'launches', `${id}-2`))
    for (const delay of [0, 0, 5, 20]) {
      const restoring = daemon.client.call('restore', { id, prompt: 'count 3000' }).catch((error: unknown) => error)
      await sleep(delay)
      const killed = await daemon.client.call('kill', { id })
      expect(killed).toMatchObject({ isLive: false })
      await restoring
      // Either the kill came before the restore, or it has ended what came of it.
      const session = await daemon.client.call('getSession', { id })
      if (session.isLive) expect(session.launch, 'restored after the kill').toBeGreaterThan(killed.launch)
      await daemon.client.call('kill', { id })
    }
    const [one, other] = await Promise.allSettled([
      daemon.client.call('restore', { id, prompt: 'count 2' }),
      daemon.client.call('restore', { id, prompt: 'count 2' }),
    ])
    expect([one.status, other.status].toSorted()).toEqual(['fulfilled', 'rejected'])
    await daemon.session(id, 'its turn', ({ usage }) => usage.turns >= 2)
  }, 120_000)
})

describe('kill without the help of the runner', () => {
  test('ends a stopped runner with its stopped agent, within seconds', async () => {
    await served()
    const { id } = await daemon.spawn('count 3000')
    await daemon.inState(id, 'active')
    const { runner, agent } = daemon.runnerInfo(`${id}-1`)
    for (const pid of [runner.pid, agent?.pid ?? 0]) signal(pid, 'SIGSTOP')
    const begin = Date.now()
    const { code, stdout } = await daemon.amux('kill', id)
    expect([code, stdout]).toEqual([0, expect.stringContaining('it was killed')])
    expect(Date.now() - begin).toBeLessThan(15_000)
    for (const pid of [runner.pid, agent?.pid ?? 0]) expect(isAlive(pid)).toBe(false)
    expect(agentsOf(id)).toEqual([])
    expect(await daemon.client.call('getSession', { id })).toMatchObject({
      isLive: false,
      outcome: { kind: 'cancelled', evidence: 'it was killed' },
    })
  }, 60_000)

  test('while nobody has read what the agent said: it ends, and all that was said is there once', async () => {
    await served()
    const { id } = await daemon.spawn('rush 100000')
    await daemon.inState(id, 'active')
    await daemon.kill()
    const log = join(launchDir(id), 'native.ndjson')
    const size = readFileSync(log).length
    await until('a backlog', () => readFileSync(log).length > size + 500_000)
    await daemon.serve()
    const { code } = await daemon.amux('kill', id)
    expect(code).toBe(0)
    expect([...agentsOf(id), ...runnersOf(id)]).toEqual([])
    await daemon.session(id, 'the end', ({ isLive, outcome }) => !isLive && outcome?.kind === 'cancelled')
    const said = (text: string) => [...text.matchAll(/"text":"<(\d+)>"/g)].map(([, number]) => Number(number))
    const written = said(readFileSync(log, 'utf8').replaceAll('\\', ''))
    const read = (await daemon.changes(id)).flatMap((one) =>
      one.kind === 'event' && one.event.type === 'text_delta' ? [Number(one.event.delta.slice(1, -1))] : [],
    )
    expect(written.length).toBeGreaterThan(1000)
    expect(read).toEqual(upTo(read.length))
    expect(written.length - read.length, 'all of it, but for a line that was cut').toBeLessThanOrEqual(1)
  }, 90_000)

  test('works when the control socket is gone, and so do messages after a moment', async () => {
    await served()
    const { id } = await daemon.spawn('leave 3')
    await daemon.inState(id, 'idle')
    await daemon.kill()
    rmSync(daemon.runnerInfo(`${id}-1`).socket)
    await daemon.serve()
    await daemon.client.call('send', { id, text: 'count 2' })
    await daemon.session(id, 'the second turn', ({ usage }) => usage.turns === 2)
    rmSync(daemon.runnerInfo(`${id}-1`).socket)
    expect((await daemon.amux('kill', id)).code).toBe(0)
    expect(agentsOf(id)).toEqual([])
  }, 60_000)

  test('send, interrupt and approve do not wait for a runner that is stopped', async () => {
    await served()
    const { id } = await daemon.spawn('count 3')
    await daemon.inState(id, 'idle')
    const { runner } = daemon.runnerInfo(`${id}-1`)
    signal(runner.pid, 'SIGSTOP')
    const begin = Date.now()
    const asked = [
      ['send', id, 'count 1'],
      ['interrupt', id],
    ].map((words) => daemon.amux(...words))
    for (const { code, stderr } of await Promise.all(asked)) {
      expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining('has not answered')])
      expect(code).not.toBe(0)
      expect(stderr).toContain('amux kill')
    }
    expect(Date.now() - begin).toBeLessThan(20_000)
    signal(runner.pid, 'SIGCONT')
    await daemon.session(id, 'an answer', ({ usage }) => usage.turns >= 1)
    expect((await daemon.amux('kill', id)).code).toBe(0)
  }, 60_000)
})
