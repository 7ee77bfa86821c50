import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { openWritable } from '../src/files/sqlite.ts'
import { processesOfRun } from '../src/process/process-table.ts'
import { program } from './support/adapters.ts'
import { allRecords, counted, eventsOf } from './support/launches.ts'
import { isAlive, sendSignal } from './support/processes.ts'
import { runnerBench, upTo } from './support/runner-bench.ts'
import { until } from './support/until.ts'

const { agentIn, bench, ended, saidIn, start, statusOf } = runnerBench()

describe('a launch', () => {
  test('ends with all its records and a result on disk, and leaves no process', async () => {
    const { launchDir, spec } = await start('rush 200')
    const { how, result, records } = await ended(launchDir)
    const all = await allRecords(bench().runner, launchDir)
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
    for (const record of await allRecords(bench().runner, launchDir)) {
      if (!('event' in record) || record.event.type !== 'message_stop') continue
      expect(JSON.parse(frames[record.frame - 1] ?? '').data).toContain(record.event.text)
    }
  })

  test('takes several turns, tells whoever listens, and does a command with a key once', async () => {
    const { launchDir } = await start('rush 2', { keepOpen: true })
    const [one, two] = [await bench().runner.connectRunner(launchDir), await bench().runner.connectRunner(launchDir)]
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
    expect(counted(eventsOf(await allRecords(bench().runner, launchDir)))).toEqual([1, 2, 1, 2, 3])
    expect(told.at(-1)).toBe(records)
  })

  test('refuses what it cannot do, and says why', async () => {
    const { launchDir } = await start('rush 2', { keepOpen: true })
    const connection = await bench().runner.connectRunner(launchDir)
    await expect(connection.request({ command: 'approve' })).rejects.toMatchObject({ code: 'NO_PENDING_INTERACTION' })
    await expect(connection.request({ command: 'input', data: 'x' })).rejects.toMatchObject({
      code: 'CAPABILITY_ERROR',
    })
    // @ts-expect-error: no such command
    await expect(connection.request({ command: 'dance' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    await connection.request({ command: 'abort' })
    expect((await ended(launchDir)).result?.exitReason).toBe('aborted')
    await expect(bench().runner.connectRunner(launchDir)).rejects.toMatchObject({ code: 'RUN_NOT_ACTIVE' })
  })

  test('that cannot begin has a result that says why', async () => {
    const { launchDir, spec } = bench().newLaunch('x')
    await bench().runner.createLaunch(launchDir, { ...spec, agent: 'nobody-knows-it' })
    await bench().runner.startRunner(launchDir, {}, bench().env)
    expect(await ended(launchDir)).toMatchObject({ how: 'refused', error: { code: 'UNKNOWN_AGENT' }, records: 0 })
  })

  test('whose logs cannot be written has a result that says why', async () => {
    const { launchDir, spec } = bench().newLaunch('x')
    await bench().runner.createLaunch(launchDir, spec)
    mkdirSync(join(launchDir, 'native.ndjson')) // a directory stands where the log should
    await bench().runner.startRunner(launchDir, {}, bench().env)
    expect(await ended(launchDir)).toMatchObject({ how: 'refused', error: { code: 'INTERNAL' }, records: 0 })
  })

  test('has one runner, however often it is started', async () => {
    const { launchDir, spec } = bench().newLaunch('count 30')
    await bench().runner.createLaunch(launchDir, spec)
    await expect(bench().runner.createLaunch(launchDir, spec)).rejects.toThrow()
    expect(await bench().runner.runnerState(launchDir)).toEqual({ state: 'never_started' })
    await Promise.all([1, 2, 3].map(() => bench().runner.startRunner(launchDir, {}, bench().env)))
    await ended(launchDir)
    expect(counted(eventsOf(await allRecords(bench().runner, launchDir)))).toEqual(upTo(30))
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
    await expect(bench().runner.recoverEvents(launchDir)).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' })
    await (await bench().runner.connectRunner(launchDir)).request({ command: 'close' })
    const result = await ended(launchDir)
    expect(await bench().runner.recoverEvents(launchDir)).toEqual(result)
  })
})

describe('replay', () => {
  test('an unchanged adapter says again what it said then', async () => {
    const { launchDir } = await start('rush 30', { keepOpen: true })
    const connection = await bench().runner.connectRunner(launchDir)
    await until('the turn is over', async () => (await statusOf(connection)).records >= 90 || null)
    await connection.request({ command: 'send', text: 'rush 4' }, 'again')
    await until('the second turn is over', async () => (await saidIn(launchDir)).length === 34)
    await connection.request({ command: 'close' })
    const { result } = await ended(launchDir)
    const recorded = eventsOf(await allRecords(bench().runner, launchDir))
    const { stdout, status } = amux('replay', launchDir)
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(status).toBe(0)
    expect(lines.slice(0, -1)).toEqual(recorded)
    expect(lines.at(-1)).toEqual({ type: 'run_result', ...result })
  })

  test('a session is found by the beginning of its id or by its name, and one that is not there is told', async () => {
    const { launchDir } = await start('rush 1')
    await ended(launchDir)
    const dataDir = dirname(dirname(launchDir))
    const { stdout } = amux('replay', basename(launchDir), { AGENT_MUX_DATA_DIR: dataDir })
    expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ type: 'run_result', text: '<1>' })
    const database = await openWritable(join(dataDir, 'daemon.db'))
    database.exec('CREATE TABLE sessions (id TEXT, name TEXT, agent TEXT, record TEXT, created_at INTEGER)')
    database.exec(`INSERT INTO sessions VALUES ('${basename(launchDir)}', 'rush-once', 'any', '{}', 1)`)
    database.close()
    expect(amux('replay', 'rush-once', { AGENT_MUX_DATA_DIR: dataDir }).stdout).toContain('"run_result"')
    rmSync(join(dataDir, 'daemon.db'))
    const nothing = amux('replay', 'nosuchsession', { AGENT_MUX_DATA_DIR: dataDir })
    expect(nothing.status).not.toBe(0)
    expect(nothing.stderr).toContain('amux ls')
  })

  function amux(command: string, argument: string, env: Record<string, string> = {}) {
    const main = join(dirname(bench().entry), '../cli/main.js')
    const script = `import(${JSON.stringify(main)}).then(async ({ main }) => (process.exitCode = await main(process.argv.slice(1))))`
    return spawnSync(process.execPath, ['-e', script, command, argument], {
      env: { ...bench().env, ...env },
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
    const file = join(bench().home, 'modules.txt')
    const loader = pathToFileURL(program('modules-to-file')).href
    const { launchDir, spec } = bench().newLaunch('rush 3')
    await bench().runner.createLaunch(launchDir, spec)
    const NODE_OPTIONS = `--import ${loader}`
    await bench().runner.startRunner(launchDir, {}, { ...bench().env, NODE_OPTIONS, MODULES_FILE: file })
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
    const connection = await bench().runner.connectRunner(launchDir)
    await until('the turn is over', async () => (await statusOf(connection)).records >= 60 || null)
    const status = readFileSync(`/proc/${state.info.runner.pid}/status`, 'utf8')
    const own = Number(/RssAnon:\s+(\d+)/.exec(status)?.[1])
    await connection.request({ command: 'abort' })
    // 16 MB when this was written; the rest of its memory is Node itself, which all of them share.
    expect(own).toBeLessThan(40_000)
  })
})
