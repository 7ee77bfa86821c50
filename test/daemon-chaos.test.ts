import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Change, ManagedSession } from '../src/client/index.ts'
import { processesWith } from '../src/process/process-table.ts'
import { buildPackage, countedIn, DaemonHome, type DaemonPackage, upTo } from './support/daemons.ts'
import { FAULTS, type Fault, inflict, pick, unclaimedSession } from './support/faults.ts'
import { countedNatively } from './support/launches.ts'
import { isAlive } from './support/processes.ts'
import { times } from './support/times.ts'
import { until } from './support/until.ts'

/** `npm run chaos` takes 100. */
const POINTS = Number(process.env.CHAOS_POINTS ?? times(6, 24))
const LIVE = 8
const COUNT = 400
const SETTLE_MS = 60_000
const ORPHAN_MS = 5000

type Victim = 'daemon' | 'reader' | Fault

const VICTIMS: readonly Victim[] = ['daemon', 'reader', ...FAULTS]

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

/** What is true of every session, whatever was done to it. */
async function expectTrue(id: string, fault: Fault | undefined): Promise<ManagedSession> {
  if (fault === 'stopped') await daemon.client.call('kill', { id })
  // When the daemon dies before it has seen that a start failed, the next one starts it again.
  const mayLive = fault === undefined || fault === 'early'
  const isTrue = (one: ManagedSession) => (one.isLive ? mayLive && one.usage.turns === 1 : fault !== undefined)
  const settled = await daemon.session(id, 'a true state', isTrue, SETTLE_MS)
  const changes = await daemon.changes(id)
  const counted = countedIn(changes)
  const numbers = changes.flatMap((change) => (change.kind === 'event' ? [change.n] : []))
  // Of a launch whose files were damaged nobody knows the rest; of one that never began there is nothing.
  const isWhole = fault !== 'damage' && fault !== 'early'
  if (isWhole) {
    const said = countedNatively(launchOf(id))
    expect(counted, 'everything that the agent has said, once and in order').toEqual(said)
  }
  expect(counted).toEqual(upTo(counted.length))
  expect(numbers).toEqual(upTo(numbers.length))
  if (fault !== 'early') expect(settled.isLive, `${id} lives if nobody has killed it`).toBe(fault === undefined)
  if (settled.isLive) {
    expect(counted).toHaveLength(COUNT)
    expect(isAlive(daemon.runnerInfo(`${id}-1`).agent?.pid ?? 0)).toBe(true)
  } else {
    expect(settled.activity.state).toBe('exited')
    expect([fault, settled.outcome?.kind]).toEqual([fault, expect.stringMatching(ENDS[fault ?? 'runner'])])
    await until('no orphan', () => processesWith([[`AMUX_SESSION_ID=${id}`]]).length === 0, ORPHAN_MS)
  }
  return settled
}

/** How a session may end that this was done to. */
const ENDS: Record<Fault, RegExp> = {
  runner: /crashed/,
  agent: /crashed/,
  early: /failed|crashed/,
  stopped: /cancelled/,
  damage: /crashed|failed|completed|cancelled/,
  socket: /never/,
}

test(`faults of daemon, runner, agent, socket, files and readers at ${POINTS} random points under load`, {
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
  const killed = new Map<string, Fault>()
  const deaths: Partial<Record<Victim, number>> = {}
  /** Not waited for: the daemon may be killed in the middle of it. */
  const spawn = () => {
    const id = daemon.spawn(`count ${COUNT}`).then((session) => session.id)
    spawned.push(id)
    void id.then(
      (one) => killed.has(one) || alive.push(one),
      () => undefined, // told by the check that all came about
    )
  }
  for (let n = 0; n < LIVE; n++) spawn()
  for (let point = 0; point < POINTS; ) {
    await sleep(Math.random() * 150)
    const victim = pick(VICTIMS)
    if (victim === 'daemon') {
      await daemon.kill()
      await daemon.serve()
    } else if (victim === 'reader') {
      // One that comes for what is there, and is gone in the middle of it.
      for await (const change of daemon.client.changes({ after: 0 })) if (change.seq > 0) break
    } else {
      if (victim === 'early') spawn()
      const id = victim === 'early' ? await unclaimedSession(daemon) : pick(alive)
      if (victim === undefined || id === undefined || !inflict(daemon, id, victim)) continue
      if (victim !== 'socket') {
        if (alive.includes(id)) alive.splice(alive.indexOf(id), 1)
        killed.set(id, victim)
        if (victim !== 'early') spawn()
      }
    }
    if (victim) deaths[victim] = (deaths[victim] ?? 0) + 1
    point += 1
  }
  const ids = await Promise.all(spawned)
  expect(new Set(ids).size, 'one request, one session').toBe(spawned.length)
  expect(await daemon.client.call('listSessions', { limit: 1000 })).toHaveLength(spawned.length)
  for (const id of ids) await expectTrue(id, killed.get(id))
  const { lastSeq } = await daemon.client.call('health')
  await until('the reader has it all', () => (seen.at(-1)?.seq ?? 0) >= lastSeq, SETTLE_MS)
  stop.abort()
  await reading
  expect(seen.map(({ seq }) => seq).slice(0, lastSeq), 'one reader, over all these daemons').toEqual(upTo(lastSeq))
  console.info(`${JSON.stringify(deaths)}, ${ids.length} sessions, ${seen.length} changes`)
  await daemon.remove()
})
