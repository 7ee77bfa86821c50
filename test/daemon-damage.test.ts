import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openWritable } from '../src/files/sqlite.ts'
import { processesCalledWith, processesWith } from '../src/process/process-table.ts'
import { buildPackage, DaemonHome, type DaemonPackage, upTo } from './support/daemons.ts'
import { DAMAGES, FILES } from './support/damages.ts'
import { sendSignal } from './support/processes.ts'
import { until } from './support/until.ts'

let built: DaemonPackage
let daemon: DaemonHome

beforeAll(() => {
  built = buildPackage()
})
afterAll(() => built.remove())
afterEach(() => daemon.remove())

async function served(): Promise<void> {
  daemon = new DaemonHome(built, built.counting)
  await daemon.serve()
}

const processesOf = (id: string) => [
  ...processesWith([[`AMUX_SESSION_ID=${id}`]]),
  ...processesCalledWith(join(daemon.dataDir, 'launches', `${id}-1`)),
]

describe('one damaged file of a launch', () => {
  test.each([['a live runner'], ['a lost runner']])(
    'with %s: every file, empty, garbage or a directory',
    async (which) => {
      await served()
      // Every damage is walked through in src/runner/damage.test.ts, without 45 runners.
      const damages = ['empty', 'garbage', 'a directory']
      const cases = FILES.flatMap((file) => damages.map((damage) => ({ file, damage })))
      const healthy = await daemon.spawn('count 20')
      const ids = await Promise.all(cases.map(async () => (await daemon.spawn('count 3')).id))
      for (const id of ids) await daemon.session(id, 'its turn', ({ usage }) => usage.turns === 1, 60_000)
      await daemon.kill()
      for (const [index, { file, damage }] of cases.entries()) {
        const id = ids[index] ?? ''
        if (which === 'a lost runner') sendSignal(daemon.runnerInfo(`${id}-1`).runner.pid, 'SIGKILL')
        DAMAGES[damage]?.(join(daemon.dataDir, 'launches', `${id}-1`, file))
      }
      await daemon.serve()
      const told = await Promise.all(
        cases.map(async ({ file, damage }, index) => {
          const id = ids[index] ?? ''
          const killed = await daemon.client.call('kill', { id })
          expect([file, damage, killed.isLive]).toEqual([file, damage, false])
          expect(killed.outcome, `${file} ${damage}`).not.toBeNull()
          await until('no process', () => processesOf(id).length === 0)
          await daemon.client.call('removeSession', { id })
          return `${file} ${damage}: ${killed.outcome?.kind} ${killed.activity.why}`
        }),
      )
      expect(await daemon.client.call('listSessions')).toHaveLength(1)
      expect(await daemon.client.call('getSession', { id: healthy.id })).toMatchObject({ isLive: true })
      if (which === 'a lost runner') {
        for (const line of told.filter((one) => /runner.json (empty|garbage|a dir)|launch.json/.test(one))) {
          expect(line, 'the reason').toMatch(/damaged|killed/)
        }
      }
    },
    300_000,
  )
})

test('records that are cut while the agent works end this session with a reason, and no other', async () => {
  await served()
  const [first, second] = await Promise.all([daemon.spawn('count 2000'), daemon.spawn('count 2000')])
  await daemon.session(first.id, 'some turns', ({ activity }) => activity.state === 'active')
  const path = join(daemon.dataDir, 'launches', `${first.id}-1`, 'events.ndjson')
  await until('some records', () => readFileSync(path, 'utf8').length > 4000)
  truncateSync(path, 100)
  const ended = await daemon.session(first.id, 'the end', ({ isLive }) => !isLive, 60_000)
  expect(ended.outcome).toMatchObject({ kind: 'failed', code: 'STORAGE_ERROR' })
  expect(ended.activity.why).toMatch(/events\.ndjson is damaged/)
  expect(processesOf(first.id)).toEqual([])
  expect(await daemon.client.call('getSession', { id: second.id })).toMatchObject({ isLive: true })
}, 120_000)

describe('the database', () => {
  const path = () => join(daemon.dataDir, 'daemon.db')

  test('one broken row is one damaged session: it can be killed and removed, the others are not touched', async () => {
    await served()
    const broken = [`'not json'`, `'[]'`, `'{}'`, `'{"id":5}'`, `json_set(record, '$.id', 'another')`]
    const ids = await Promise.all(upTo(broken.length + 1).map(async () => (await daemon.spawn('count 3')).id))
    for (const id of ids) await daemon.session(id, 'its turn', ({ usage }) => usage.turns === 1)
    await daemon.kill()
    const database = await openWritable(path())
    for (const [index, record] of broken.entries()) {
      database.prepare(`UPDATE sessions SET record = ${record} WHERE id = ?`).run(ids[index] ?? '')
      database.prepare("UPDATE change_log SET data = '{' WHERE session_id = ? AND n = 1").run(ids[index] ?? '')
    }
    database.close()
    await daemon.serve()
    const listed = await daemon.amux('ls')
    expect([listed.code, listed.stderr]).toEqual([0, ''])
    for (const id of ids) expect(listed.stdout).toContain(id)
    for (const id of ids.slice(0, broken.length)) {
      expect((await daemon.client.call('planRestore', { id })).kind).toBe('impossible')
      expect(await daemon.changes(id)).not.toEqual([])
      expect(await daemon.client.call('kill', { id })).toMatchObject({ isLive: false })
      await until('no process', () => processesOf(id).length === 0)
      expect((await daemon.client.call('removeSession', { id })).ok).toBe(true)
    }
    expect(await daemon.client.call('listSessions')).toMatchObject([{ id: ids.at(-1), isLive: true }])
  }, 120_000)

  test('damaged pages are named as such, with the way to restore', async () => {
    await served()
    await daemon.spawn('count 200')
    await until('a database of some size', async () => (await daemon.client.call('health')).lastSeq > 150)
    await Promise.all((await daemon.client.call('listSessions')).map(({ id }) => daemon.client.call('kill', { id })))
    await daemon.stop()
    const bytes = readFileSync(path())
    writeFileSync(path(), Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096, 'x')]))
    const { code, stderr } = await daemon.amux('serve', '--port', '0')
    expect(code).not.toBe(0)
    expect(stderr).toMatch(/daemon\.db is damaged/)
    expect(stderr).toContain('amux backup restore')
  }, 60_000)
})
