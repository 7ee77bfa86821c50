import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from '../../test/support/until.ts'
import type { AgentEvent } from '../contract/events.ts'
import { LAUNCH_FILES, type LaunchRecord } from '../contract/launch.ts'
import { DeltaGuard } from '../secrets/delta-guard.ts'
import { RecordLog } from './record-log.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'agent-mux-records-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const same = (text: string) => text
const base = { runId: 'r', agent: 'a', timestamp: 1 }
const input = (delta: string, toolCallId = 't'): AgentEvent => ({
  ...{ ...base, type: 'tool_input_delta', toolCallId, delta, inputAccumulated: '' },
})
const said = (text: string): AgentEvent => ({ ...base, type: 'message_stop', text })
const path = () => join(directory, LAUNCH_FILES.records)
const open = (onDelayed?: () => void) => {
  const guard = new DeltaGuard({ find: () => [], maskOf: same, waitFrom: (text) => text.length })
  return new RecordLog(directory, same, guard, onDelayed)
}
const records = (): LaunchRecord[] =>
  readFileSync(path(), 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
/** Everything that was said, in order, with the pieces of an input as one. */
const wholeOf = (all: readonly LaunchRecord[]) =>
  all
    .flatMap((one) => ('event' in one ? [one.event] : []))
    .map((event) => ('delta' in event ? event.delta : event.type === 'message_stop' ? `<${event.text}>` : ''))
    .join('')

test('a large file that comes in small pieces costs about its own size', () => {
  const log = open(() => {})
  for (let n = 1; n <= 25_000; n++) {
    log.addEvent(input('twelve chars'), n)
    log.flush()
  }
  log.addEvent(said('done'), 25_001)
  log.flush()
  const all = records()
  expect(wholeOf(all)).toBe(`${'twelve chars'.repeat(25_000)}<done>`)
  expect(all.length).toBeLessThan(300)
  expect(all.map(({ n }) => n)).toEqual(all.map((_, index) => index + 1))
  expect(statSync(path()).size).toBeLessThan(400_000)
  log.close()
})

test('a piece waits for a moment only, and what follows it comes after it', async () => {
  let isReported = false
  const log = open(() => {
    isReported = true
  })
  log.addEvent(input('a'), 1)
  expect(log.flush(), 'nothing yet').toBe(false)
  await until('it is written by itself', () => isReported)
  expect(wholeOf(records())).toBe('a')
  log.addEvent(input('b'), 2)
  log.addEvent(input('c', 'other'), 2)
  log.addFact({ state: 'active', source: 'process', at: 1, launch: 1 })
  log.addEvent(input('d', 'other'), 3)
  log.close()
  expect(records().map((one) => ('event' in one && 'delta' in one.event ? one.event.delta : 'fact'))).toEqual([
    ...['a', 'b', 'c', 'fact', 'd'],
  ])
})

test('calls that come in turns cost about their own size, too', () => {
  const log = open(() => {})
  for (let n = 1; n <= 25_000; n++) {
    log.addEvent(input('twelve chars', `call ${n % 3}`), n)
    log.flush()
  }
  log.close()
  const all = records()
  expect(wholeOf(all)).toHaveLength(12 * 25_000)
  expect(all.length).toBeLessThan(300)
  expect(statSync(path()).size).toBeLessThan(400_000)
})

/** What was said by each call, and by the rest. */
const byCall = (events: readonly AgentEvent[]) => {
  const said: Record<string, string> = {}
  for (const event of events) {
    const key = event.type === 'tool_input_delta' ? event.toolCallId : ''
    said[key] = `${said[key] ?? ''}${'delta' in event ? event.delta : 'text' in event && event.text},`
  }
  return JSON.stringify(Object.entries(said).toSorted()).replaceAll(',', '')
}

/** Pieces of calls one after the other, and in turns; several events of a frame, and several frames of one. */
const SEQUENCES = [
  (at: number) => `t${Math.floor(at / 11)}`,
  (at: number) => `t${at % 2}`,
  (at: number) => `t${[0, 1, 1, 0, 2, 1][at % 6]}`,
].flatMap((callOf) =>
  [2, 3].map((perFrame) =>
    Array.from({ length: 40 }, (_, at) => ({
      frame: 1 + Math.floor(at / perFrame),
      event: at % 17 === 16 ? said(String(at)) : input(`${at};`, callOf(at)),
    })),
  ),
)

test.each(SEQUENCES)(
  'wherever a runner was killed, all is there once after its records were made again',
  (...events) => {
    const expected = byCall(events.map(({ event }) => event))
    for (let stop = 0; stop <= events.length; stop++) {
      const log = open(() => {})
      for (const { event, frame } of events.slice(0, stop)) log.addEvent(event, frame)
      if (stop % 2 === 0)
        log.close() // what waits is written, or it is gone
      else log.flush()
      const lines = readFileSync(path(), 'utf8').split('\n')
      // It may have been killed in the middle of writing as well.
      for (let kept = Math.max(0, lines.length - 3); kept < lines.length; kept++) {
        const before = lines.slice(0, kept).map((line) => `${line}\n`)
        writeFileSync(path(), before.join(''))
        const again = open()
        const onDisk = again.progress()
        for (const { event, frame } of events) {
          if (onDisk.has(event, frame)) again.skipEvent(event, frame)
          else again.addEvent(event, frame)
        }
        again.close()
        const all = records().flatMap((one) => ('event' in one ? [one.event] : []))
        expect(byCall(all), `killed after ${stop}, with ${kept} lines`).toBe(expected)
      }
      writeFileSync(path(), '')
    }
  },
)
