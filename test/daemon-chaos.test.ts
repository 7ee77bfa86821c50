import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Change, ManagedSession } from '../src/client/index.ts'
import { processesOfRun } from '../src/process/process-table.ts'
import { buildPackage, countedIn, DaemonHome, type DaemonPackage, upTo } from './support/daemons.ts'
import { countedNatively } from './support/launches.ts'
import { isAlive } from './support/processes.ts'
import { until } from './support/until.ts'

/** `npm run chaos` takes 100. */
const POINTS = Number(process.env.CHAOS_POINTS ?? 12)
const LIVE = 8
const COUNT = 400
const SETTLE_MS = 60_000
const ORPHAN_MS = 5000

type Victim = 'daemon' | 'runner' | 'agent'

let built: DaemonPackage
let daemon: DaemonHome

beforeAll(() => {
  built = buildPackage()
})
afterAll(() => built.remove())
afterEach(() => daemon.remove())

function launchOf(id: string): string {
  return join(daemon.dataDir, 'launches', `${id}-1`)
}

function pick<T>(from: readonly T[]): T | undefined {
  return from[Math.floor(Math.random() * from.length)]
}

/** False: this one has no such process at the moment. */
function kill(id: string, victim: 'runner' | 'agent'): boolean {
  // The daemon that was to start it may have been killed: then the next one does.
  if (!existsSync(join(launchOf(id), 'runner.json'))) return false
  const { runner, agent } = daemon.runnerInfo(`${id}-1`)
  const pid = victim === 'runner' ? runner.pid : agent?.pid
  if (pid === undefined || !isAlive(pid)) return false
  process.kill(pid, 'SIGKILL')
  return true
}

/** What is true of every session, whatever was killed. */
async function expectTrue(id: string, killed: ReadonlySet<string>): Promise<ManagedSession> {
  const isTrue = (one: ManagedSession) => (killed.has(id) ? !one.isLive : one.usage.turns === 1)
  const settled = await daemon.session(id, 'a true state', isTrue, SETTLE_MS)
  const changes = await daemon.changes(id)
  const counted = countedIn(changes)
  const numbers = changes.flatMap((change) => (change.kind === 'event' ? [change.n] : []))
  expect(counted, 'everything that the agent has said, once and in order').toEqual(countedNatively(launchOf(id)))
  expect(counted).toEqual(upTo(counted.length))
  expect(numbers).toEqual(upTo(numbers.length))
  expect(settled.isLive, `${id} lives if nobody has killed it`).toBe(!killed.has(id))
  if (settled.isLive) {
    expect(counted).toHaveLength(COUNT)
    expect(isAlive(daemon.runnerInfo(`${id}-1`).agent?.pid ?? 0)).toBe(true)
  } else {
    expect(settled).toMatchObject({ activity: { state: 'exited' }, outcome: { kind: 'crashed' } })
    await until('no orphan', () => processesOfRun(daemon.runIdOf(`${id}-1`)).length === 0, ORPHAN_MS)
  }
  return settled
}

test(`kill -9 of daemon, runner or agent at ${POINTS} random points under load`, {
  timeout: 120_000 + POINTS * 20_000,
}, async () => {
  daemon = new DaemonHome(built, built.counting)
  await daemon.serve()
  const stop = new AbortController()
  const seen: Change[] = []
  const reading = (async () => {
    for await (const change of daemon.client.changes({ after: 0, signal: stop.signal })) seen.push(change)
  })()
  const spawned: Promise<string>[] = []
  const alive: string[] = []
  const killed = new Set<string>()
  const deaths: Record<Victim, number> = { daemon: 0, runner: 0, agent: 0 }
  /** Not waited for: the daemon may be killed in the middle of it. */
  const spawn = () => {
    const id = daemon.spawn(`count ${COUNT}`).then((session) => session.id)
    spawned.push(id)
    void id.then(
      (one) => alive.push(one),
      () => undefined, // told by the check that all came about
    )
  }
  for (let n = 0; n < LIVE; n++) spawn()
  for (let point = 0; point < POINTS; ) {
    await sleep(Math.random() * 150)
    const victim = pick<Victim>(['daemon', 'runner', 'agent'])
    if (victim === 'daemon') {
      await daemon.kill()
      await daemon.serve()
    } else {
      const id = pick(alive)
      if (victim === undefined || id === undefined || !kill(id, victim)) continue
      alive.splice(alive.indexOf(id), 1)
      killed.add(id)
      spawn()
    }
    if (victim) deaths[victim] += 1
    point += 1
  }
  const ids = await Promise.all(spawned)
  expect(new Set(ids).size, 'one request, one session').toBe(spawned.length)
  expect(await daemon.client.call('listSessions', { limit: 1000 })).toHaveLength(spawned.length)
  for (const id of ids) await expectTrue(id, killed)
  const { lastSeq } = await daemon.client.call('health')
  await until('the reader has it all', () => (seen.at(-1)?.seq ?? 0) >= lastSeq, SETTLE_MS)
  stop.abort()
  await reading
  expect(seen.map(({ seq }) => seq).slice(0, lastSeq), 'one reader, over all these daemons').toEqual(upTo(lastSeq))
  console.info(`${JSON.stringify(deaths)}, ${ids.length} sessions, ${seen.length} changes`)
  await daemon.remove()
})
