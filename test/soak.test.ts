import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Change } from '../src/client/index.ts'
import { processesWith } from '../src/process/process-table.ts'
import { buildPackage, countedIn, DaemonHome, type DaemonPackage, upTo } from './support/daemons.ts'
import { type Fault, inflict, pick } from './support/faults.ts'
import { smallDisk } from './support/small-disk.ts'
import { until } from './support/until.ts'

/** `npm run soak` takes an hour; `SOAK_MINUTES=2 npm run soak` is for CI. Not part of the suite. */
const MINUTES = Number(process.env.SOAK_MINUTES ?? 0)
const SESSIONS = Number(process.env.SOAK_SESSIONS ?? 20)
/** Numbers that one turn counts. */
const COUNT = 150
const DISK_FULL_MS = 2000
/** A daemon may hold so much more at the end than after its first minute: caches fill, then nothing grows. */
const GROWTH_MB = 80

let built: DaemonPackage
let daemon: DaemonHome

beforeAll(() => {
  if (MINUTES > 0) built = buildPackage()
})
afterAll(() => {
  if (MINUTES > 0) built.remove()
})

function memoryOf(pid: number): number {
  const found = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))
  return Number(found?.[1] ?? 0) / 1024
}

interface Told {
  turns: Map<string, number>
  ended: Map<string, Fault>
}

/** Everything that a session has said is there once and in order, turn by turn. */
async function expectWhole(id: string, { turns, ended }: Told): Promise<void> {
  const counted = countedIn(await daemon.changes(id))
  const whole = Array.from({ length: turns.get(id) ?? 0 }, () => upTo(COUNT)).flat()
  const isCut = ended.has(id)
  expect(counted, `${id} ${ended.get(id) ?? ''}`).toEqual(isCut ? whole.slice(0, counted.length) : whole)
}

test.skipIf(MINUTES === 0)(
  `${SESSIONS} busy sessions for ${MINUTES} minutes`,
  {
    timeout: MINUTES * 60_000 * 3 + 600_000,
    retry: 0,
  },
  async () => {
    const disk = smallDisk('2g')
    daemon = new DaemonHome(built, built.counting, disk ? { dataDir: disk.path } : {})
    const told: Told = { turns: new Map(), ended: new Map() }
    const stop = new AbortController()
    const seen: Change['seq'][] = []
    const memory: number[] = []
    const moves: Record<string, number> = {}
    let isFull = false
    const spawn = async () => {
      const { id } = await daemon.spawn(`count ${COUNT}`)
      told.turns.set(id, 1)
      return id
    }
    const restart = async () => {
      await (Math.random() < 0.5 ? daemon.kill() : daemon.stop())
      await daemon.serve()
    }
    try {
      await daemon.serve()
      const reading = (async () => {
        for await (const { seq } of daemon.client.changes({ after: 0, signal: stop.signal })) seen.push(seq)
      })()
      let live = await Promise.all(upTo(SESSIONS).map(spawn))
      /** Gives whoever rests something to do, and replaces whoever is gone. */
      const keepBusy = async () => {
        for (const session of await daemon.client.call('listSessions', { live: true, limit: 1000 })) {
          if (session.activity.state !== 'idle' || !live.includes(session.id) || isFull) continue
          const n = (told.turns.get(session.id) ?? 0) + 1
          await daemon.client.call('send', { id: session.id, text: `count ${COUNT}`, key: `turn ${n}` })
          told.turns.set(session.id, n)
        }
        while (live.length < SESSIONS) live = [...live, await spawn()]
      }
      const acts: Record<string, () => Promise<void>> = {
        busy: keepBusy,
        restart,
        reader: async () => {
          for await (const { seq } of daemon.client.changes({ after: 0 })) if (seq > Math.random() * 5000) break
        },
        fault: async () => {
          const [id, fault] = [pick(live), pick<Fault>(['runner', 'agent', 'stopped', 'damage', 'socket'])]
          if (!id || !fault || !inflict(daemon, id, fault) || fault === 'socket') return
          told.ended.set(id, fault)
          live = live.filter((one) => one !== id)
          const gone = await daemon.client.call('kill', { id })
          expect(gone, `${fault} of ${id}`).toMatchObject({ isLive: false })
          await daemon.client.call('removeSession', { id }).catch(() => undefined)
        },
      }
      const begin = Date.now()
      const end = begin + MINUTES * 60_000
      const fullAt = disk ? begin + (MINUTES * 60_000) / 2 : Number.POSITIVE_INFINITY
      for (let wasFull = false; Date.now() < end; ) {
        const name = Math.random() < 0.6 ? 'busy' : (pick(Object.keys(acts)) ?? 'busy')
        moves[name] = (moves[name] ?? 0) + 1
        await acts[name]?.()
        memory.push(memoryOf(daemon.pid))
        if (Date.now() > fullAt && !wasFull) {
          wasFull = true
          isFull = true
          const makeRoom = disk?.fill() ?? (() => undefined)
          await sleep(DISK_FULL_MS)
          expect((await daemon.client.call('health')).ok, 'it answers on a full disk').toBe(true)
          makeRoom()
          isFull = false
          // A run whose log could not be written has ended, and says so.
          for (const session of await daemon.client.call('listSessions', { limit: 1000 })) {
            if (!session.isLive && live.includes(session.id)) told.ended.set(session.id, 'runner')
          }
          live = live.filter((id) => !told.ended.has(id))
          moves.full = 1
        }
        await sleep(100)
      }
      for (const id of live) {
        const isOver = ({ isLive, activity }: { isLive: boolean; activity: { state: string } }) =>
          !isLive || activity.state === 'idle'
        const settled = await daemon.session(id, 'rest', isOver, 120_000)
        if (!settled.isLive) told.ended.set(id, 'runner')
        await expectWhole(id, told)
      }
      const { lastSeq } = await daemon.client.call('health')
      await until('the reader has it all', () => (seen.at(-1) ?? 0) >= lastSeq, 120_000)
      stop.abort()
      await reading
      expect(
        seen.every((seq, index) => index === 0 || seq > (seen[index - 1] ?? 0)),
        'each change once, in order',
      ).toBe(true)
      expect(told.ended.size, 'not everybody was lost').toBeLessThan(told.turns.size)
      const quarter = Math.max(1, Math.floor(memory.length / 4))
      const peak = (part: number[]) => Math.max(...part)
      const growth = peak(memory.slice(-quarter)) - peak(memory.slice(0, quarter))
      console.info(
        JSON.stringify({ moves, sessions: told.turns.size, changes: seen.length, growthMb: Math.round(growth) }),
      )
      expect(growth, 'memory of the daemon').toBeLessThan(GROWTH_MB)
      await Promise.all(live.map((id) => daemon.client.call('kill', { id })))
      for (const id of told.turns.keys()) {
        await until('no orphan', () => processesWith([[`AMUX_SESSION_ID=${id}`]]).length === 0)
      }
    } finally {
      stop.abort()
      await daemon.remove()
      disk?.remove()
    }
  },
)
