import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LaunchRecord, LaunchResult, RunnerConnection, RunnerStatus } from '../src/contract/launch.ts'
import { processesOfRun } from '../src/process/process-table.ts'
import { program } from './support/adapters.ts'
import { allRecords, counted, countedNatively, eventsOf, type LaunchBench, launchBench } from './support/launches.ts'
import { isAlive, sendSignal } from './support/processes.ts'
import { times } from './support/times.ts'
import { until } from './support/until.ts'

let bench: LaunchBench

beforeAll(async () => {
  bench = await launchBench()
})
afterAll(() => bench.remove())

const SECRETS = { env: { SECRET_OF_THE_AGENT: 'hunter2' } }

async function start(prompt: string, options: Parameters<LaunchBench['newLaunch']>[1] = {}) {
  const { launchDir, spec } = bench.newLaunch(prompt, options)
  const hidden = await bench.runner.createLaunch(launchDir, spec, SECRETS, bench.env)
  const state = await bench.runner.startRunner(launchDir, SECRETS, bench.env, hidden)
  return { launchDir, spec, state }
}

function ended(launchDir: string): Promise<LaunchResult> {
  return until('the launch has ended', async () => {
    const state = await bench.runner.runnerState(launchDir)
    return state.state === 'ended' && state.result
  })
}

async function statusOf(connection: RunnerConnection): Promise<RunnerStatus> {
  const status = await connection.request({ command: 'status' })
  if (!status || !('pending' in status)) throw new Error('not a status')
  return status
}

/** What the runner has told of its agent. */
function agentIn(launchDir: string): unknown {
  return JSON.parse(readFileSync(join(launchDir, 'runner.json'), 'utf8')).agent
}

async function saidIn(launchDir: string): Promise<number[]> {
  return counted(eventsOf(await allRecords(bench.runner, launchDir)))
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}

describe('a launch', () => {
  test('ends with all its records and a result on disk, and leaves no process', async () => {
    const { launchDir, spec } = await start('rush 200')
    const { how, result, records } = await ended(launchDir)
    const all = await allRecords(bench.runner, launchDir)
    expect(how).toBe('ended')
    expect(result?.outcome.kind).toBe('completed')
    expect(all.map(({ n }) => n)).toEqual(upTo(records))
    expect(counted(eventsOf(all))).toEqual(upTo(200))
    expect(eventsOf(all).at(-1)?.type).toBe('session_end')
    expect(JSON.stringify(all)).not.toContain('accumulated')
    await until('no process is left', () => processesOfRun(spec.launchId).length === 0)
  })

  test('keeps its files to its owner, and secrets out of them', async () => {
    const { launchDir } = await start('rush 3')
    await ended(launchDir)
    expect(statSync(launchDir).mode & 0o777).toBe(0o700)
    for (const name of ['launch.json', 'runner.json', 'native.ndjson', 'events.ndjson', 'result.json', 'runner.log']) {
      expect(statSync(join(launchDir, name)).mode & 0o777, name).toBe(0o600)
      expect(readFileSync(join(launchDir, name), 'utf8'), name).not.toContain('hunter2')
    }
  })

  test('every event leads back to its native line', async () => {
    const { launchDir } = await start('rush 20')
    await ended(launchDir)
    const frames = readFileSync(join(launchDir, 'native.ndjson'), 'utf8').trimEnd().split('\n')
    for (const record of await allRecords(bench.runner, launchDir)) {
      if (!('event' in record) || record.event.type !== 'message_stop') continue
      expect(JSON.parse(frames[record.frame - 1] ?? '').data).toContain(record.event.text)
    }
  })

  test('takes several turns, tells whoever listens, and does a command with a key once', async () => {
    const { launchDir } = await start('rush 2', { keepOpen: true })
    const [one, two] = [await bench.runner.connectRunner(launchDir), await bench.runner.connectRunner(launchDir)]
    const told: number[] = []
    two.onNotice((notice) => {
      if (notice.notice === 'records') told.push(notice.records)
    })
    await until('the first turn is over', async () => (await statusOf(one)).records >= 7 || null)
    await Promise.all([
      one.request({ command: 'send', text: 'rush 3' }, 'key-1'),
      two.request({ command: 'send', text: 'rush 3' }, 'key-1'),
    ])
    await one.request({ command: 'send', text: 'rush 3' }, 'key-1')
    await until('the second turn is over', async () => (await saidIn(launchDir)).length === 5)
    await one.request({ command: 'close' })
    await Promise.all([one.closed, two.closed])
    const { result, records } = await ended(launchDir)
    expect(result?.turnCount).toBe(2)
    expect(counted(eventsOf(await allRecords(bench.runner, launchDir)))).toEqual([1, 2, 1, 2, 3])
    expect(told.at(-1)).toBe(records)
  })

  test('refuses what it cannot do, and says why', async () => {
    const { launchDir } = await start('rush 2', { keepOpen: true })
    const connection = await bench.runner.connectRunner(launchDir)
    await expect(connection.request({ command: 'approve' })).rejects.toMatchObject({ code: 'NO_PENDING_INTERACTION' })
    await expect(connection.request({ command: 'input', data: 'x' })).rejects.toMatchObject({
      code: 'CAPABILITY_ERROR',
    })
    // @ts-expect-error: no such command
    await expect(connection.request({ command: 'dance' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    await connection.request({ command: 'abort' })
    expect((await ended(launchDir)).result?.exitReason).toBe('aborted')
    await expect(bench.runner.connectRunner(launchDir)).rejects.toMatchObject({ code: 'RUN_NOT_ACTIVE' })
  })

  test('that cannot begin has a result that says why', async () => {
    const { launchDir, spec } = bench.newLaunch('x')
    await bench.runner.createLaunch(launchDir, { ...spec, agent: 'nobody-knows-it' })
    await bench.runner.startRunner(launchDir, {}, bench.env)
    expect(await ended(launchDir)).toMatchObject({ how: 'refused', error: { code: 'UNKNOWN_AGENT' }, records: 0 })
  })

  test('whose logs cannot be written has a result that says why', async () => {
    const { launchDir, spec } = bench.newLaunch('x')
    await bench.runner.createLaunch(launchDir, spec)
    mkdirSync(join(launchDir, 'native.ndjson')) // a directory stands where the log should
    await bench.runner.startRunner(launchDir, {}, bench.env)
    expect(await ended(launchDir)).toMatchObject({ how: 'refused', error: { code: 'INTERNAL' }, records: 0 })
  })

  test('has one runner, however often it is started', async () => {
    const { launchDir, spec } = bench.newLaunch('count 30')
    await bench.runner.createLaunch(launchDir, spec)
    await expect(bench.runner.createLaunch(launchDir, spec)).rejects.toThrow()
    expect(await bench.runner.runnerState(launchDir)).toEqual({ state: 'never_started' })
    await Promise.all([1, 2, 3].map(() => bench.runner.startRunner(launchDir, {}, bench.env)))
    await ended(launchDir)
    expect(counted(eventsOf(await allRecords(bench.runner, launchDir)))).toEqual(upTo(30))
  })

  test('ends cleanly when its runner is told to', async () => {
    const { launchDir, state } = await start('count 3000')
    if (state.state !== 'alive') throw new Error('not alive')
    sendSignal(state.info.runner.pid, 'SIGTERM')
    expect(await ended(launchDir)).toMatchObject({ how: 'ended', result: { exitReason: 'aborted' } })
  })

  test('whose directory is gone, or another one, ends with its agent, and nothing of it comes back', async () => {
    const vanish = [
      (launchDir: string) => rmSync(launchDir, { recursive: true }),
      (launchDir: string) => {
        rmSync(launchDir, { recursive: true })
        mkdirSync(launchDir)
      },
    ]
    for (const [index, remove] of vanish.entries()) {
      const { launchDir, spec, state } = await start('leave 3000')
      if (state.state !== 'alive') throw new Error('not alive')
      const runId = spec.options.runId ?? ''
      await until('the agent and its child', () => processesOfRun(runId).length >= 2)
      await until('all of it is written down', () => agentIn(launchDir) !== null)
      remove(launchDir)
      const isGone = () => !isAlive(state.info.runner.pid) && processesOfRun(runId).length === 0
      await until('nobody is left', isGone)
      expect(existsSync(launchDir)).toBe(index === 1)
      if (index === 1) expect(readdirSync(launchDir)).toEqual([])
    }
  })

  test('that is recovered while it lives is left alone', async () => {
    const { launchDir } = await start('count 20', { keepOpen: true })
    await expect(bench.runner.recoverEvents(launchDir)).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' })
    await (await bench.runner.connectRunner(launchDir)).request({ command: 'close' })
    const result = await ended(launchDir)
    expect(await bench.runner.recoverEvents(launchDir)).toEqual(result)
  })
})

describe('replay', () => {
  test('an unchanged adapter says again what it said then', async () => {
    const { launchDir } = await start('rush 30', { keepOpen: true })
    const connection = await bench.runner.connectRunner(launchDir)
    await until('the turn is over', async () => (await statusOf(connection)).records >= 90 || null)
    await connection.request({ command: 'send', text: 'rush 4' }, 'again')
    await until('the second turn is over', async () => (await saidIn(launchDir)).length === 34)
    await connection.request({ command: 'close' })
    const { result } = await ended(launchDir)
    const recorded = eventsOf(await allRecords(bench.runner, launchDir))
    const { stdout, status } = amux('replay', launchDir)
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(status).toBe(0)
    expect(lines.slice(0, -1)).toEqual(recorded)
    expect(lines.at(-1)).toEqual({ type: 'run_result', ...result })
  })

  test('a session is found by the beginning of its id, and one that is not there is told', async () => {
    const { launchDir } = await start('rush 1')
    await ended(launchDir)
    const dataDir = dirname(dirname(launchDir))
    const { stdout } = amux('replay', basename(launchDir), { AGENT_MUX_DATA_DIR: dataDir })
    expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ type: 'run_result', text: '<1>' })
    const nothing = amux('replay', 'nosuchsession', { AGENT_MUX_DATA_DIR: dataDir })
    expect(nothing.status).not.toBe(0)
    expect(nothing.stderr).toContain('amux ls')
  })

  function amux(command: string, argument: string, env: Record<string, string> = {}) {
    const main = join(dirname(bench.entry), '../cli/main.js')
    const script = `import(${JSON.stringify(main)}).then(async ({ main }) => (process.exitCode = await main(process.argv.slice(1))))`
    return spawnSync(process.execPath, ['-e', script, command, argument], {
      env: { ...bench.env, ...env },
      encoding: 'utf8',
    })
  }
})

/** The modules that a file of a program is made of. */
function bundledIn(url: string): string[] {
  const parts = JSON.parse(readFileSync(fileURLToPath(new URL('modules.json', url)), 'utf8'))
  return parts[basename(fileURLToPath(url))] ?? []
}

describe('a runner is small', () => {
  test('it loads no server, database, schema, log or terminal', async () => {
    const file = join(bench.home, 'modules.txt')
    const loader = pathToFileURL(program('modules-to-file')).href
    const { launchDir, spec } = bench.newLaunch('rush 3')
    await bench.runner.createLaunch(launchDir, spec)
    const NODE_OPTIONS = `--import ${loader}`
    await bench.runner.startRunner(launchDir, {}, { ...bench.env, NODE_OPTIONS, MODULES_FILE: file })
    expect((await ended(launchDir)).result?.outcome.kind).toBe('completed')
    const files = readFileSync(file, 'utf8').trimEnd().split('\n')
    const loaded = files.flatMap((url) => [url, ...(url.includes('/dist/programs/') ? bundledIn(url) : [])])
    expect(loaded.some((url) => url.endsWith('/dist/runner/headless.js'))).toBe(true)
    for (const name of ['engine-host-services', 'engine-http-exchange', 'files-working-copy']) {
      const itself = expect.stringMatching(`/dist/programs/${name}\\.js$`)
      expect(files, 'no update can take away what it imports later').toContainEqual(itself)
    }
    expect(loaded.filter((url) => url.includes('/node_modules/'))).toEqual([])
    const heavy =
      /^node:(https?|http2|sqlite|worker_threads|readline)$|\/dist\/(daemon|cli|sessions\/(?!unified-id)|hooks\/(?!scrub|spool-entry)|verify|scripted)\b/
    expect(loaded.filter((url) => heavy.test(url))).toEqual([])
  })

  test.runIf(process.platform === 'linux')('it takes little memory of its own', async () => {
    const { launchDir, state } = await start('rush 20', { keepOpen: true })
    if (state.state !== 'alive') throw new Error('not alive')
    const connection = await bench.runner.connectRunner(launchDir)
    await until('the turn is over', async () => (await statusOf(connection)).records >= 60 || null)
    const status = readFileSync(`/proc/${state.info.runner.pid}/status`, 'utf8')
    const own = Number(/RssAnon:\s+(\d+)/.exec(status)?.[1])
    await connection.request({ command: 'abort' })
    // 16 MB when this was written; the rest of its memory is Node itself, which all of them share.
    expect(own).toBeLessThan(40_000)
  })
})

describe('a full disk', () => {
  const canMount = process.platform === 'linux' && spawnSync('unshare', ['-rm', 'true']).status === 0

  /** The launch lies on a file system of its own that has this much room. */
  function onSmallDisk(size: string, prompt: string) {
    const disk = join(bench.home, `disk-${size}`)
    mkdirSync(disk)
    const script = 'mount -t tmpfs -o "size=$1" none "$2"; shift 2; exec "$@"'
    const command = [process.execPath, program('full-disk'), bench.entry, disk, prompt, bench.home]
    const { stdout, stderr } = spawnSync('unshare', ['-rm', 'sh', '-c', script, 'sh', size, disk, ...command], {
      env: bench.env,
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
      const recovered = await bench.runner.recoverEvents(copy)
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
    await bench.runner.recoverEvents(copy, { secrets: { env: { DEPLOY_TOKEN: 'hunter2-hunter2-value' } }, env: {} })
    expect(spelledIn(copy)).toBe(masked)
    const said = eventsOf(await allRecords(bench.runner, copy)).map((one) =>
      one.type === 'text_delta' ? one.delta : '',
    )
    expect(said.join('')).toBe('[redacted]')
  })

  test('loses nothing that was held back because it could begin a secret', { timeout: 120_000 }, async () => {
    const { launchDir } = await finished('spell the-key:sk-abcdefghijklmnop0123456789')
    const said = async (dir: string) =>
      eventsOf(await allRecords(bench.runner, dir))
        .map((event) => (event.type === 'text_delta' ? event.delta : ''))
        .join('')
    expect(await said(launchDir)).toBe('the-key:[redacted]')
    expect(spelledIn(launchDir), 'the log has no piece of it').toBe('the-key:sk-aaaaaaaaaaaaaaaa0000000000')
    const whole = readFileSync(join(launchDir, 'events.ndjson'))
    for (let size = 0; size <= whole.length; size += 311) {
      const copy = cutCopy(launchDir, { 'events.ndjson': size })
      // With what the runner knew, as the daemon does: what is held back, and where, depends on it.
      await bench.runner.recoverEvents(copy, { secrets: SECRETS, env: bench.env })
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
      const { records } = await bench.runner.recoverEvents(copy)
      const after = readFileSync(join(copy, 'events.ndjson'), 'utf8')
      expect(after.startsWith(before), `cut at ${size}`).toBe(true)
      const all = await allRecords(bench.runner, copy)
      expect(all.map(({ n }) => n)).toEqual(upTo(records))
      expect(counted(eventsOf(all))).toEqual(countedNatively(copy))
      // A second look at the whole log says the same as the records.
      rmSync(join(copy, 'events.ndjson'))
      rmSync(join(copy, 'result.json'))
      await bench.runner.recoverEvents(copy)
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
      const { launchDir, spec } = bench.newLaunch(prompt, { keepOpen: index % 2 === 0 })
      await bench.runner.createLaunch(launchDir, spec)
      const starting = bench.runner.startRunner(launchDir, {}, bench.env)
      // A quick one may have done its work before it is looked at, or before it is killed.
      const started = await until('there is a runner', async () => {
        const state = await bench.runner.runnerState(launchDir)
        return state.state === 'alive' || state.state === 'ended' ? state : null
      })
      await sleep(random() * 500)
      if (started.state === 'alive') killIfThere(started.info.runner.pid)
      await starting
      const state = await until('it is known', async () => {
        const seen = await bench.runner.runnerState(launchDir)
        return seen.state !== 'alive' && seen
      })
      await until('no process is left', () => processesOfRun(spec.launchId).length === 0)

      const [result, again] = await Promise.all([
        bench.runner.recoverEvents(launchDir),
        bench.runner.recoverEvents(launchDir),
      ])
      expect(again).toEqual(result)
      const all = await allRecords(bench.runner, launchDir)
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
      const connection = await bench.runner.connectRunner(launchDir)
      const agent = await until('there is an agent', async () => (await statusOf(connection)).agent)
      await sleep(random() * 300)
      sendSignal(agent.pid, 'SIGKILL')
      const { how, result, records } = await ended(launchDir)
      expect(how).toBe('ended')
      expect(result).toMatchObject({ exitReason: 'killed', signal: 'SIGKILL', outcome: { kind: 'crashed' } })
      const all = await allRecords(bench.runner, launchDir)
      expect(all.map(({ n }) => n)).toEqual(upTo(records))
      expect(counted(eventsOf(all))).toEqual(countedNatively(launchDir))
      await until('no process is left', () => processesOfRun(spec.launchId).length === 0)
      expect(isAlive(agent.pid)).toBe(false)
    })
  })
})
