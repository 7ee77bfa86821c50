import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { LaunchRecord, LaunchResult } from '../src/contract/launch.ts'
import { processesOfRun } from '../src/process/process-table.ts'
import { program } from './support/adapters.ts'
import { allRecords, counted, countedNatively, eventsOf } from './support/launches.ts'
import { isAlive, sendSignal } from './support/processes.ts'
import { runnerBench, SECRETS, upTo } from './support/runner-bench.ts'
import { times } from './support/times.ts'
import { until } from './support/until.ts'

const { bench, ended, start, statusOf } = runnerBench()

describe('a full disk', () => {
  const canMount = process.platform === 'linux' && spawnSync('unshare', ['-rm', 'true']).status === 0

  /** The launch lies on a file system of its own that has this much room. */
  function onSmallDisk(size: string, prompt: string) {
    const disk = join(bench().home, `disk-${size}`)
    mkdirSync(disk)
    const script = 'mount -t tmpfs -o "size=$1" none "$2"; shift 2; exec "$@"'
    const command = [process.execPath, program('full-disk'), bench().entry, disk, prompt, bench().home]
    const { stdout, stderr } = spawnSync('unshare', ['-rm', 'sh', '-c', script, 'sh', size, disk, ...command], {
      env: bench().env,
      encoding: 'utf8',
      timeout: 60_000,
      maxBuffer: 64 * 1024 * 1024,
    })
    expect(stderr).toBe('')
    const told: { state: string; result: LaunchResult | null; native: string; events: string } = JSON.parse(stdout)
    return told
  }

  test.runIf(canMount)('ends the run, says why, and leaves no half of anything', () => {
    const { state, result, native, events } = onSmallDisk('1500k', 'rush 20000')
    expect(state).toBe('ended')
    expect(result).toMatchObject({ how: 'ended', result: { outcome: { kind: 'failed', code: 'STORAGE_ERROR' } } })
    expect(result?.result?.outcome.evidence).toMatch(/no space left/i)
    // Every line of both files is whole, and the events are those of the lines that were kept: no more, no fewer.
    const frames = native
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const said = frames.filter(({ kind, data }) => kind === 'out' && data.includes('"assistant"')).length
    const records: LaunchRecord[] = events
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(said).toBeGreaterThan(100)
    expect(counted(eventsOf(records))).toEqual(upTo(said))
    expect(records.map(({ n }) => n)).toEqual(upTo(result?.records ?? 0))
    expect(
      eventsOf(records)
        .slice(-2)
        .map(({ type }) => type),
    ).toEqual(['error', 'session_end'])
  })
})

describe('recovery', () => {
  async function finished(prompt: string) {
    const { launchDir, state } = await start(prompt)
    const { result } = await ended(launchDir)
    if (state.state === 'alive') await until('the runner is gone', () => !isAlive(state.info.runner.pid))
    return { launchDir, result }
  }

  /** A launch whose runner was killed when its files were so long. */
  function cutCopy(launchDir: string, files: Record<string, number>): string {
    const copy = `${launchDir}-${Object.values(files).join('-')}`
    cpSync(launchDir, copy, { recursive: true })
    rmSync(join(copy, 'result.json'))
    for (const [name, size] of Object.entries(files)) truncateSync(join(copy, name), size)
    return copy
  }

  test('adds exactly what is missing, wherever the records were cut', { timeout: 120_000 }, async () => {
    const { launchDir, result } = await finished('rush 12')
    const whole = readFileSync(join(launchDir, 'events.ndjson'))
    for (let size = 0; size <= whole.length; size += 97) {
      const copy = cutCopy(launchDir, { 'events.ndjson': size })
      const recovered = await bench().runner.recoverEvents(copy)
      expect(readFileSync(join(copy, 'events.ndjson')).equals(whole), `cut at ${size}`).toBe(true)
      expect(recovered).toMatchObject({ how: 'lost', result: { outcome: result?.outcome, text: result?.text } })
    }
  })

  /** The text that an agent has said letter by letter, by the native log. */
  function spelledIn(launchDir: string): string {
    const frames = readFileSync(join(launchDir, 'native.ndjson'), 'utf8').trimEnd().split('\n')
    const letters = frames.map((line) => /"type\\":\\"text_delta\\",\\"text\\":\\"(.)\\"/.exec(line)?.[1] ?? '')
    return letters.join('')
  }

  test.each([
    ['sk-abcdefghijklmnop0123456789', 'sk-bcdefghijklmnopq1234567891', 'sk-aaaaaaaaaaaaaaaa0000000000'],
    // Which only who has started the launch can know for one.
    ['plain-and-harmless-xy', 'hunter2-hunter2-value', 'aaaaaa0-aaaaaa0-aaaaa'],
  ])('of a log with pieces of a secret masks them, when its runner could not: %s', async (harmless, secret, masked) => {
    const { launchDir } = await finished(`spell ${harmless}`)
    const copy = cutCopy(launchDir, { 'events.ndjson': 0 })
    const path = join(copy, 'native.ndjson')
    let at = 0
    // As it was before the runner had got so far as to mask it.
    const lines = readFileSync(path, 'utf8').replace(
      /(text_delta\\",\\"text\\":\\")./g,
      (_, head) => head + secret[at++],
    )
    writeFileSync(path, lines)
    expect(spelledIn(copy)).toBe(secret)
    await bench().runner.recoverEvents(copy, { secrets: { env: { DEPLOY_TOKEN: 'hunter2-hunter2-value' } }, env: {} })
    expect(spelledIn(copy)).toBe(masked)
    const said = eventsOf(await allRecords(bench().runner, copy)).map((one) =>
      one.type === 'text_delta' ? one.delta : '',
    )
    expect(said.join('')).toBe('[redacted]')
  })

  test('loses nothing that was held back because it could begin a secret', { timeout: 120_000 }, async () => {
    const { launchDir } = await finished('spell the-key:sk-abcdefghijklmnop0123456789')
    const said = async (dir: string) =>
      eventsOf(await allRecords(bench().runner, dir))
        .map((event) => (event.type === 'text_delta' ? event.delta : ''))
        .join('')
    expect(await said(launchDir)).toBe('the-key:[redacted]')
    expect(spelledIn(launchDir), 'the log has no piece of it').toBe('the-key:sk-aaaaaaaaaaaaaaaa0000000000')
    const whole = readFileSync(join(launchDir, 'events.ndjson'))
    for (let size = 0; size <= whole.length; size += 311) {
      const copy = cutCopy(launchDir, { 'events.ndjson': size })
      // With what the runner knew, as the daemon does: what is held back, and where, depends on it.
      await bench().runner.recoverEvents(copy, { secrets: SECRETS, env: bench().env })
      expect(await said(copy), `cut at ${size}`).toBe('the-key:[redacted]')
      expect(spelledIn(copy)).not.toContain('b')
      expect(readFileSync(join(copy, 'events.ndjson')).equals(whole), `cut at ${size}`).toBe(true)
    }
  })

  test('ends the run where the native log was cut, and what was known before stays as it was', {
    timeout: 120_000,
  }, async () => {
    const { launchDir } = await finished('rush 12')
    const native = readFileSync(join(launchDir, 'native.ndjson'))
    const events = readFileSync(join(launchDir, 'events.ndjson'), 'utf8')
    for (let size = 0; size <= native.length; size += 211) {
      const frames = native.subarray(0, size).toString('utf8').split('\n').length - 1
      // Nothing of an input is on disk before the input is, so what came in the middle of another is not there either.
      const next = native.toString('utf8').split('\n')[frames] ?? ''
      if (next !== '' && JSON.parse(next).in !== undefined) continue
      const known = events.split('\n').filter((line) => line !== '' && JSON.parse(line).frame <= frames)
      const before = known.map((line) => `${line}\n`).join('')
      const copy = cutCopy(launchDir, { 'native.ndjson': size, 'events.ndjson': Buffer.byteLength(before) })
      const { records } = await bench().runner.recoverEvents(copy)
      const after = readFileSync(join(copy, 'events.ndjson'), 'utf8')
      expect(after.startsWith(before), `cut at ${size}`).toBe(true)
      const all = await allRecords(bench().runner, copy)
      expect(all.map(({ n }) => n)).toEqual(upTo(records))
      expect(counted(eventsOf(all))).toEqual(countedNatively(copy))
      // A second look at the whole log says the same as the records.
      rmSync(join(copy, 'events.ndjson'))
      rmSync(join(copy, 'result.json'))
      await bench().runner.recoverEvents(copy)
      expect(readFileSync(join(copy, 'events.ndjson'), 'utf8'), `cut at ${size}`).toBe(after)
    }
  })
})

/** Random, but the same in every run of the tests. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32
    return state / 2 ** 32
  }
}

/** Several at a time, since most of a launch is waiting. */
async function inParallel(count: number, width: number, action: (index: number) => Promise<void>): Promise<void> {
  let next = 0
  const work = async () => {
    for (let index = next++; index < count; index = next++) await action(index)
  }
  await Promise.all(Array.from({ length: width }, work))
}

function killIfThere(pid: number): void {
  try {
    sendSignal(pid, 'SIGKILL')
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' })
  }
}

describe('kill -9', () => {
  test('of the runner at random moments: nothing lost, nothing twice, nobody left', {
    timeout: 240_000,
  }, async () => {
    const random = randomNumbers(7)
    let lost = 0
    const kills = times(12, 60)
    await inParallel(kills, 4, async (index) => {
      const prompt = ['count 60', 'rush 3000', 'leave 60'][index % 3] ?? ''
      const { launchDir, spec } = bench().newLaunch(prompt, { keepOpen: index % 2 === 0 })
      await bench().runner.createLaunch(launchDir, spec)
      const starting = bench().runner.startRunner(launchDir, {}, bench().env)
      // A quick one may have done its work before it is looked at, or before it is killed.
      const started = await until('there is a runner', async () => {
        const state = await bench().runner.runnerState(launchDir)
        return state.state === 'alive' || state.state === 'ended' ? state : null
      })
      await sleep(random() * 500)
      if (started.state === 'alive') killIfThere(started.info.runner.pid)
      await starting
      const state = await until('it is known', async () => {
        const seen = await bench().runner.runnerState(launchDir)
        return seen.state !== 'alive' && seen
      })
      await until('no process is left', () => processesOfRun(spec.launchId).length === 0)

      const [result, again] = await Promise.all([
        bench().runner.recoverEvents(launchDir),
        bench().runner.recoverEvents(launchDir),
      ])
      expect(again).toEqual(result)
      const all = await allRecords(bench().runner, launchDir)
      expect(all.map(({ n }) => n)).toEqual(upTo(result.records))
      const numbers = counted(eventsOf(all))
      expect(numbers).toEqual(upTo(numbers.length))
      expect(numbers).toEqual(countedNatively(launchDir))
      if (state.state === 'ended' || result.result === null) return
      lost += 1
      expect(result.how).toBe('lost')
      expect(['crashed', 'completed']).toContain(result.result.outcome.kind)
      expect(eventsOf(all).filter((event) => event.type === 'session_end')).toHaveLength(1)
      expect(eventsOf(all).at(-1)?.type).toBe('session_end')
    })
    expect(lost).toBeGreaterThan(kills / 3)
  })

  test('of the agent at random moments: its end is told', { timeout: 240_000 }, async () => {
    const random = randomNumbers(11)
    await inParallel(times(8, 40), 4, async (index) => {
      const { launchDir, spec } = await start(['count 60', 'leave 60'][index % 2] ?? '', { keepOpen: true })
      const connection = await bench().runner.connectRunner(launchDir)
      const agent = await until('there is an agent', async () => (await statusOf(connection)).agent)
      await sleep(random() * 300)
      sendSignal(agent.pid, 'SIGKILL')
      const { how, result, records } = await ended(launchDir)
      expect(how).toBe('ended')
      expect(result).toMatchObject({ exitReason: 'killed', signal: 'SIGKILL', outcome: { kind: 'crashed' } })
      const all = await allRecords(bench().runner, launchDir)
      expect(all.map(({ n }) => n)).toEqual(upTo(records))
      expect(counted(eventsOf(all))).toEqual(countedNatively(launchDir))
      await until('no process is left', () => processesOfRun(spec.launchId).length === 0)
      expect(isAlive(agent.pid)).toBe(false)
    })
  })
})
