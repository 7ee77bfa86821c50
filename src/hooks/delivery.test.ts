import { spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildCli } from '../../test/support/built-cli.ts'
import { ensureCallback, hookEnvironment } from './callback.ts'
import { type DeliveredHook, drainSpool, spoolDirectory, watchSpool } from './spool.ts'

let place: string
let cli: string
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'amux-built-'))
  cli = buildCli(place).cli
}, 120_000)
afterAll(() => rmSync(place, { recursive: true, force: true }))

let dataDir: string
let script: string
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "amux d'ata-"))
  script = await ensureCallback(dataDir)
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const FORMS: [name: string, command: () => string[]][] = [
  ['the installed script', () => [script]],
  ['the Node form', () => [process.execPath, cli, 'hooks']],
]

function start(command: string[], args: string[], env: Record<string, string>, payload: string) {
  const [program = '', ...before] = command
  const child = spawn(program, [...before, ...args], { env: { PATH: process.env.PATH ?? '', HOME: dataDir, ...env } })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk
  })
  child.stdin.on('error', () => {})
  child.stdin.end(payload)
  return new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, output })),
  )
}

async function drained(): Promise<DeliveredHook[]> {
  const hooks: DeliveredHook[] = []
  await drainSpool(spoolDirectory(dataDir), (hook) => {
    hooks.push(hook)
  })
  return hooks
}

const ours = (launch = 1) => hookEnvironment('session-1', launch, dataDir)

describe.each(FORMS)('%s', (name, command) => {
  test('delivers what the agent wrote, and says nothing', async () => {
    const payload = JSON.stringify({ text: 'ümlaut 🚀\u2028 %s $HOME `id` \\n "quoted"' })
    expect(await start(command(), ['claude', 'Stop'], ours(7), payload)).toEqual({ code: 0, output: '' })
    const [hook] = await drained()
    expect(hook).toMatchObject({ adapter: 'claude', event: 'Stop', sessionId: 'session-1', launch: 7 })
    expect(hook?.payload).toEqual(JSON.parse(payload))
    expect(Math.abs(Date.now() - (hook?.at ?? 0))).toBeLessThan(60_000)
    expect(readdirSync(spoolDirectory(dataDir))).toEqual([])
  })

  test('leaves at once when it is not ours, but for an answer that the agent needs', async () => {
    expect(await start(command(), ['cursor', 'stop', '{}'], {}, 'x'.repeat(300_000))).toEqual({
      code: 0,
      output: '{}\n',
    })
    expect(await drained()).toEqual([])
  })

  test('is private, exits 0 and leaves a line when it cannot deliver', async () => {
    await start(command(), ['claude', 'Stop'], ours(), '{}')
    const [file = ''] = readdirSync(spoolDirectory(dataDir))
    expect(statSync(join(spoolDirectory(dataDir), file)).mode & 0o077).toBe(0)
    rmSync(spoolDirectory(dataDir), { recursive: true })
    writeFileSync(spoolDirectory(dataDir), 'in the way')
    expect(await start(command(), ['claude', 'Stop'], ours(), '{}')).toEqual({ code: 0, output: '' })
    expect(readFileSync(join(dataDir, 'hooks.log'), 'utf8')).toContain('claude Stop session-1')
  })

  test('makes the spool when it is missing, and takes no path for a session', async () => {
    rmSync(spoolDirectory(dataDir), { recursive: true })
    await start(command(), ['claude', 'Stop'], ours(), '{}')
    expect(await drained()).toHaveLength(1)
    await start(command(), ['claude', 'Stop'], { ...ours(), AMUX_SESSION_ID: '../x' }, '{}')
    expect(await drained()).toEqual([])
  })

  test('ends at once, and makes nothing, where there is no data directory', async () => {
    for (const directory of [join(dataDir, 'gone'), '/proc/gone']) {
      const { code, output } = await start(command(), ['claude', 'Stop'], hookEnvironment('s', 1, directory), '{}')
      expect([code, output]).toEqual([0, ''])
    }
    expect(existsSync(join(dataDir, 'gone'))).toBe(false)
  })

  test('a megabyte, and many at once, arrive whole', async () => {
    const many = name === 'the Node form' ? 20 : 200
    const big = JSON.stringify({ text: 'ab🚀'.repeat(180_000) })
    const runs = Array.from({ length: many }, (_, i) =>
      start(command(), ['claude', `E${i}`], ours(), i === 3 ? big : JSON.stringify({ i })),
    )
    expect((await Promise.all(runs)).every(({ code, output }) => code === 0 && output === '')).toBe(true)
    const hooks = await drained()
    expect(hooks).toHaveLength(many)
    for (const { event, payload } of hooks) {
      expect(JSON.stringify(payload)).toBe(event === 'E3' ? big : JSON.stringify({ i: Number(event.slice(1)) }))
    }
  }, 60_000)
})

describe('the script', () => {
  test('with a terminal as its input does not wait', async () => {
    const { spawn: spawnInTerminal } = await import('@lydell/node-pty')
    const terminal = spawnInTerminal(script, ['claude', 'Stop'], { env: { ...process.env, ...ours() } })
    const exitCode = await new Promise((resolve) => terminal.onExit((exit) => resolve(exit.exitCode)))
    expect(exitCode).toBe(0)
    expect(await drained()).toMatchObject([{ event: 'Stop', payload: null }])
  })

  test('keeps its order, also within one tick of the clock', async () => {
    for (let i = 0; i < 20; i++)
      spawnSync(script, ['claude', `E${i}`], { env: { ...process.env, ...ours() }, input: '{}' })
    expect((await drained()).map(({ event }) => event)).toEqual(Array.from({ length: 20 }, (_, i) => `E${i}`))
  })

  test('a name that is taken is not overwritten', async () => {
    const shell = `i=0; while [ $i -lt 3 ]; do . "$0"; i=$((i+1)); done`
    // The same process id three times, as after it has come around.
    const source = readFileSync(script, 'utf8').replace(/^exit 0$/m, ':')
    const copy = join(dataDir, 'copy')
    writeFileSync(copy, source)
    spawnSync('sh', ['-c', shell, copy, 'Stop'], { env: { ...process.env, ...ours() }, input: '{}' })
    expect(readdirSync(spoolDirectory(dataDir)).length).toBe(3)
  })
})

describe('the spool', () => {
  const put = (name: string, content: string) => {
    mkdirSync(spoolDirectory(dataDir), { recursive: true })
    writeFileSync(join(spoolDirectory(dataDir), name), content)
  }

  test('torn files are kept aside, and the rest goes on', async () => {
    put('a.1.1.hook', 'amux-hook 1 claude Stop s 1\n{"half": ')
    put('b.1.2.hook', 'something else')
    put('c.1.3.hook', '')
    put('d.1.4.hook', 'amux-hook 1 claude Stop s 1\n{}')
    put('e.1.5.part', 'amux-hook 1 claude Stop s 1\n{"on": "its way"}')
    put('f.1.6.part', 'amux-hook 1 claude')
    utimesSync(join(spoolDirectory(dataDir), 'f.1.6.part'), 1, 1)
    put('notes.txt', 'mine')
    expect(await drained()).toMatchObject([{ id: 'd.1.4', sessionId: 's', payload: {} }])
    expect(readdirSync(spoolDirectory(dataDir)).toSorted()).toEqual(['e.1.5.part', 'notes.txt', 'torn'])
    expect(readdirSync(join(spoolDirectory(dataDir), 'torn')).toSorted()).toEqual([
      ...['a.1.1.hook', 'b.1.2.hook', 'c.1.3.hook', 'f.1.6.part'],
    ])
  })

  test('what could not be handled comes again, under the same id', async () => {
    put('a.1.1.hook', 'amux-hook 1 claude Stop s 1\n{}')
    put('a.1.2.hook', 'amux-hook 1 claude Other s 1\n')
    const failing = () => {
      throw new Error('database locked')
    }
    await expect(drainSpool(spoolDirectory(dataDir), failing)).rejects.toThrow('locked')
    expect((await drained()).map(({ id, payload }) => [id, payload])).toEqual([
      ['a.1.1', {}],
      ['a.1.2', null],
    ])
  })

  test('a watched spool is emptied as hooks come in, and errors are reported', async () => {
    const seen: string[] = []
    const errors: unknown[] = []
    let fails = true
    const watching = watchSpool(
      spoolDirectory(dataDir),
      ({ event }) => {
        if (event === 'E1' && fails) {
          fails = false
          throw new Error('once')
        }
        seen.push(event)
      },
      (error) => errors.push(error),
    )
    for (const event of ['E0', 'E1', 'E2']) {
      spawnSync(script, ['claude', event], { env: { ...process.env, ...ours() }, input: '{}' })
    }
    await expect.poll(() => seen, { timeout: 5000 }).toEqual(['E0', 'E1', 'E2'])
    await watching.close()
    expect(errors).toHaveLength(1)
    spawnSync(script, ['claude', 'E3'], { env: { ...process.env, ...ours() }, input: '{}' })
    expect(readdirSync(spoolDirectory(dataDir))).toHaveLength(1)
  })

  test('no spool at all is an empty one', async () => {
    rmSync(spoolDirectory(dataDir), { recursive: true })
    expect(await drained()).toEqual([])
  })
})
