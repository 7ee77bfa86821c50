import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Terminal } from '@xterm/headless'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Fact } from '../src/contract/activity.ts'
import type { LaunchOptions, LaunchSecrets, RunnerConnection } from '../src/contract/launch.ts'
import { processesOfRun } from '../src/process/process-table.ts'
import { allRecords, type LaunchBench, screenBench } from './support/launches.ts'
import { isAlive, sendSignal } from './support/processes.ts'
import { until } from './support/until.ts'

let bench: LaunchBench

beforeAll(async () => {
  bench = await screenBench()
})
afterAll(() => bench.remove())

const SIZE = { cols: 60, rows: 20 }

async function open(prompt: string, options: Partial<LaunchOptions> = {}, secrets: LaunchSecrets = {}) {
  const { launchDir, spec } = bench.newLaunch(prompt, { gracePeriodMs: 500, ...options })
  const whole = { ...spec, mode: 'terminal', terminal: SIZE } as const
  const hidden = await bench.runner.createLaunch(launchDir, whole, secrets, bench.env)
  await bench.runner.startRunner(launchDir, secrets, bench.env, hidden)
  const connection = await bench.runner.connectRunner(launchDir)
  onTestFinished(async () => void (await connection.request({ command: 'abort' }).catch(() => {})))
  return { launchDir, spec, connection }
}

async function lines(connection: RunnerConnection): Promise<string[]> {
  const screen = await connection.request({ command: 'screen' }).catch(() => undefined)
  return screen && 'lines' in screen ? screen.lines : []
}

const shows = (connection: RunnerConnection, text: string) =>
  until(`the screen shows ${text}`, async () => (await lines(connection)).some((line) => line.includes(text)))

async function facts(launchDir: string): Promise<Fact[]> {
  const records = await allRecords(bench.runner, launchDir)
  return records.flatMap((record) => ('fact' in record ? [record.fact] : []))
}

const sees = (launchDir: string, state: Fact['state']) =>
  until(`a fact: ${state}`, async () => (await facts(launchDir)).at(-1)?.state === state)

async function ended(launchDir: string) {
  return until('it has ended', async () => {
    const state = await bench.runner.runnerState(launchDir)
    return state.state === 'ended' && state.result
  })
}

/** What is kept of all that the terminal has shown. */
function segments(launchDir: string): string {
  const directory = join(launchDir, 'terminal')
  return readdirSync(directory)
    .map((name) => readFileSync(join(directory, name), 'utf8'))
    .join('')
}

/** What somebody sees who attaches: a terminal that gets the screen first and then everything that follows. */
async function attach(launchDir: string) {
  const connection = await bench.runner.connectRunner(launchDir)
  const terminal = new Terminal({ ...SIZE, allowProposedApi: true })
  const answers: string[] = []
  terminal.onData((text) => answers.push(text))
  let early = ''
  let isOpen = false
  connection.onNotice((notice) => {
    if (notice.notice === 'resized') terminal.resize(notice.cols, notice.rows)
    if (notice.notice !== 'output') return
    if (isOpen) terminal.write(notice.data)
    else early += notice.data
  })
  const snapshot = await connection.request({ command: 'subscribe' })
  if (!snapshot || !('data' in snapshot)) throw new Error('no snapshot')
  terminal.write(snapshot.data + early)
  isOpen = true
  const text = async () => {
    await new Promise<void>((resolve) => terminal.write('', resolve))
    const { active } = terminal.buffer
    return Array.from(
      { length: terminal.rows },
      (_, y) => active.getLine(active.baseY + y)?.translateToString(true) ?? '',
    )
  }
  return { connection, terminal, answers, text }
}

test('the agent gets a terminal, its prompt, and answers to what it asks its terminal', async () => {
  const { connection } = await open('hello')
  await shows(connection, '● you said "hello"')
  await shows(connection, 'fake claude 60x20 answered')
})

test('a message is typed, sent and seen to be taken; several lines are one message', async () => {
  const { connection } = await open('')
  await shows(connection, 'for shortcuts')
  await connection.request({ command: 'send', text: 'one\ntwo' })
  await shows(connection, '● you said "one\\ntwo"')
  await connection.request({ command: 'send', text: 'x\x1b[201~\ry' })
  await shows(connection, '● you said "x[201~\\ny"')
})

test('a dialog is seen, keeps messages out, and is answered by a key', async () => {
  const { connection, launchDir } = await open('ask')
  await sees(launchDir, 'blocked')
  const refused = connection.request({ command: 'send', text: 'y' })
  await expect(refused).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' })
  await connection.request({ command: 'input', data: '\r' })
  await shows(connection, '● allowed')
  await sees(launchDir, 'idle')
})

test('what was sent stands above its own dialog, and is not sent again', async () => {
  const { connection, launchDir } = await open('')
  await shows(connection, 'for shortcuts')
  await connection.request({ command: 'send', text: 'ask plainly' })
  await sees(launchDir, 'blocked')
  expect((await lines(connection)).join()).not.toContain('● allowed')
})

test('a permission is decided by a key of its own, where the dialog is there and then gone', async () => {
  const { connection, launchDir } = await open('')
  await shows(connection, 'for shortcuts')
  const decide = (command: 'approve' | 'deny') => connection.request({ command })
  await expect(decide('approve')).rejects.toMatchObject({ code: 'NO_PENDING_INTERACTION' })
  await connection.request({ command: 'send', text: 'ask' })
  await sees(launchDir, 'blocked')
  const withReason = connection.request({ command: 'deny', reason: 'why' })
  await expect(withReason).rejects.toMatchObject({ code: 'CAPABILITY_ERROR' })
  await decide('approve')
  await shows(connection, '● allowed')
  await connection.request({ command: 'send', text: 'ask' })
  await sees(launchDir, 'blocked')
  await decide('deny')
  await shows(connection, '● denied')
  await connection.request({ command: 'send', text: 'ask deaf' })
  await sees(launchDir, 'blocked')
  await expect(decide('approve')).rejects.toMatchObject({ code: 'TIMEOUT' })
})

test('an interrupt is a key, not the end', async () => {
  const { connection } = await open('')
  await shows(connection, 'for shortcuts')
  await connection.request({ command: 'interrupt' })
  await shows(connection, '● interrupted')
})

test('whoever attaches sees what is there, whenever they come, and nobody answers for the terminal', async () => {
  const { connection, launchDir } = await open('hello')
  await shows(connection, 'answered')
  const first = await attach(launchDir)
  await connection.request({ command: 'send', text: 'flood 500' })
  const [second, third] = await Promise.all([attach(launchDir), attach(launchDir)])
  await connection.request({ command: 'send', text: 'after' })
  await shows(connection, '● you said "after"')
  const expected = await lines(connection)
  for (const viewer of [first, second, third]) {
    await until('it shows the same', async () => JSON.stringify(await viewer.text()) === JSON.stringify(expected))
    expect(viewer.answers).toEqual([])
    expect(viewer.terminal.modes.bracketedPasteMode).toBe(true)
    const title = viewer.terminal.buffer.active.getLine(0)?.getCell(0)
    expect([title?.getChars(), title?.isBold() !== 0, title?.getFgColor()]).toEqual(['f', true, 2])
  }
})

test('a new size reaches the agent and every viewer', async () => {
  const { connection, launchDir } = await open('')
  await shows(connection, 'for shortcuts')
  const viewer = await attach(launchDir)
  await connection.request({ command: 'resize', cols: 90, rows: 25 })
  await shows(connection, 'fake claude 90x25')
  expect([viewer.terminal.cols, viewer.terminal.rows]).toEqual([90, 25])
  await expect(connection.request({ command: 'resize', cols: 0, rows: 5 })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
  })
})

test('its end is told, with the exit code, and what it showed is kept', async () => {
  const { connection, launchDir, spec } = await open('hello')
  await shows(connection, 'for shortcuts')
  await connection.request({ command: 'input', data: 'bye\r' })
  expect(await ended(launchDir)).toMatchObject({ how: 'ended', exit: { exitCode: 7, signal: null } })
  expect((await facts(launchDir)).at(-1)).toMatchObject({ state: 'exited', source: 'process', launch: 1 })
  expect(segments(launchDir)).toContain('you said "hello"')
  await until('no process is left', () => processesOfRun(spec.launchId).length === 0)
})

test.each([
  ['a value that we know', 'DEPLOY_TOKEN', 'hunter2-hunter2'],
  ['a key by its form', 'UNSUSPECTED', 'sk-a1b2c3d4e5f6g7h8'],
])('no secret reaches the disk or a viewer, wherever it is parted: %s', async (_, name, value) => {
  const { connection, launchDir } = await open('', {}, { env: { [name]: value } })
  await shows(connection, 'for shortcuts')
  const viewer = await attach(launchDir)
  await connection.request({ command: 'send', text: `${value} is sent, and seen to be` })
  await shows(connection, `you said "${'*'.repeat(value.length)} is sent`)
  await connection.request({ command: 'input', data: `leak ${name}\r` })
  await shows(connection, `#${value.length - 1} *`)
  const expected = Array.from({ length: value.length - 1 }, (_, at) => `#${at + 1} ${'*'.repeat(value.length)}|`)
  await until('all of it is shown', async () => (await lines(connection))[expected.length - 1]?.endsWith('|'))
  expect((await lines(connection)).slice(0, expected.length)).toEqual(expected)
  await until('the viewer has it', async () => (await viewer.text())[expected.length - 1]?.endsWith('|'))
  expect((await viewer.text()).slice(0, expected.length)).toEqual(expected)
  const log = segments(launchDir)
  expect(log).toContain(`#1 ${'*'.repeat(value.length)}|`)
  for (const half of [value.slice(0, 5), value.slice(-5)]) expect(log).not.toContain(half)
})

test('what may begin a secret is shown all the same when nothing follows', async () => {
  const { connection } = await open('', {}, { env: { DEPLOY_TOKEN: 'hunter2-hunter2' } })
  await shows(connection, 'for shortcuts')
  await connection.request({ command: 'input', data: 'hunter2' })
  await shows(connection, '❯ hunter2')
})

test('kill -9 of its runner ends the agent, and the launch says so', async () => {
  const { launchDir, spec, connection } = await open('hello')
  await shows(connection, 'for shortcuts')
  const state = await bench.runner.runnerState(launchDir)
  if (state.state !== 'alive') throw new Error('not alive')
  sendSignal(state.info.runner.pid, 'SIGKILL')
  await connection.closed // which a process that is dying does before it is gone
  await until('its runner is gone', () => !isAlive(state.info.runner.pid))
  await until('no process is left', () => processesOfRun(spec.launchId).length === 0)
  expect(await bench.runner.recoverEvents(launchDir)).toMatchObject({ how: 'lost', result: null })
  expect((await facts(launchDir)).at(-1)).toMatchObject({ state: 'exited', source: 'process' })
})

test('an agent without a terminal form is refused, and says what to do', async () => {
  const { launchDir, spec } = bench.newLaunch('x')
  await bench.runner.createLaunch(launchDir, { ...spec, agent: 'amp', mode: 'terminal' })
  await bench.runner.startRunner(launchDir, {}, bench.env)
  expect(await ended(launchDir)).toMatchObject({ how: 'refused', error: { code: 'CAPABILITY_ERROR' } })
})
