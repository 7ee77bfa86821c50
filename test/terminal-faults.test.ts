import { readdirSync, readFileSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { RunnerConnection, TerminalSize } from '../src/contract/launch.ts'
import { Screen } from '../src/runner/screen.ts'
import { type LaunchBench, screenBench } from './support/launches.ts'
import { times } from './support/times.ts'
import { until } from './support/until.ts'

// Terminals that are flooded, resized and looked at by people who do not read. The program plays what no agent does.

let bench: LaunchBench

beforeAll(async () => {
  bench = await screenBench()
})
afterAll(() => bench.remove())

const SIZE = { cols: 60, rows: 20 }
const MEGABYTE = 2 ** 20

async function open() {
  const { launchDir, spec } = bench.newLaunch('', { gracePeriodMs: 500 })
  const hidden = await bench.runner.createLaunch(launchDir, { ...spec, mode: 'terminal', terminal: SIZE })
  await bench.runner.startRunner(launchDir, {}, bench.env, hidden)
  const connection = await bench.runner.connectRunner(launchDir)
  onTestFinished(async () => void (await connection.request({ command: 'abort' }).catch(() => {})))
  const state = await bench.runner.runnerState(launchDir)
  if (state.state !== 'alive') throw new Error('it is not alive')
  await shows(connection, 'for shortcuts')
  return { launchDir, connection, info: state.info }
}

async function lines(connection: RunnerConnection): Promise<string[]> {
  const screen = await connection.request({ command: 'screen' })
  return screen && 'lines' in screen ? screen.lines.map((line) => line.trimEnd()) : []
}

const shows = (connection: RunnerConnection, text: string) =>
  until(`the screen shows ${text}`, async () => (await lines(connection)).some((line) => line.includes(text)), 60_000)

async function attach(launchDir: string, size: TerminalSize) {
  const connection = await bench.runner.connectRunner(launchDir)
  const screen = await Screen.open(size, () => {})
  connection.onNotice((notice) => {
    if (notice.notice === 'resized') screen.resize(notice)
    if (notice.notice === 'output') screen.write(notice.data)
  })
  const snapshot = await connection.request({ command: 'subscribe' })
  if (!snapshot || !('data' in snapshot)) throw new Error('no snapshot')
  screen.write(snapshot.data)
  return async () => (await screen.settled(() => screen.text())).lines.map((line) => line.trimEnd())
}

const press = (connection: RunnerConnection, data: string) => connection.request({ command: 'input', data })

/** Of a process, in megabytes: the most that it ever had. */
function peakMemory(pid: number): number {
  const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

test('a flood neither stops the agent nor fills the memory, though one viewer never reads', async () => {
  const { launchDir, connection, info } = await open()
  const deaf = connect(info.socket)
  deaf.on('error', () => {}) // it is cut off, which is what it is here for
  deaf.pause()
  deaf.write('{"id":1,"command":"subscribe"}\n')
  const viewer = await attach(launchDir, SIZE)
  await press(connection, `spew ${times(20, 30)}\r`)
  await shows(connection, '● spewed')
  await until('the other one sees its end', async () => (await viewer()).includes('● spewed'), 60_000)
  expect(await viewer()).toEqual(await lines(connection))
  await until('the one that does not read is let go', async () => {
    const status = await connection.request({ command: 'status' })
    return status && 'terminal' in status && status.terminal?.viewers === 1
  })
  deaf.destroy()
  expect(peakMemory(info.runner.pid)).toBeLessThan(300)
  const directory = join(launchDir, 'terminal')
  const kept = readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0)
  expect(kept).toBeLessThan(20 * MEGABYTE)
}, 180_000)

test('after a storm of new sizes everybody has the last one, and sees the same', async () => {
  const { launchDir, connection } = await open()
  const viewer = await attach(launchDir, SIZE)
  const sizes = Array.from({ length: 200 }, (_, i) => ({ cols: 20 + ((i * 37) % 150), rows: 5 + ((i * 13) % 60) }))
  await Promise.all(
    [...sizes, { cols: 73, rows: 21 }].map((size) => connection.request({ command: 'resize', ...size })),
  )
  await shows(connection, 'fake claude 73x21')
  await until(
    'it shows the same',
    async () => JSON.stringify(await viewer()) === JSON.stringify(await lines(connection)),
  )
}, 60_000)

test('wide characters, accents and colours are the same for who comes later', async () => {
  const { launchDir, connection } = await open()
  const early = await attach(launchDir, SIZE)
  await press(connection, 'wide\r')
  await shows(connection, '漢字かな 👍')
  const late = await attach(launchDir, SIZE)
  expect(await late()).toEqual(await early())
  expect((await late()).join('\n')).toContain('● 漢字かな 👍 e\u0301 |')
})
