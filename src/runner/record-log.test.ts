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

test('wherever a runner was killed, all is there once after its records were made again', () => {
  const events = Array.from({ length: 60 }, (_, at) => ({
    frame: 1 + Math.floor(at / 3),
    event: at % 17 === 16 ? said(String(at)) : input(`${at},`, `t${Math.floor(at / 11)}`),
  }))
  const expected = events
    .map(({ event }) => ('delta' in event ? event.delta : `<${'text' in event && event.text}>`))
    .join('')
  for (let stop = 0; stop <= events.length; stop++) {
    const log = open(() => {})
    for (const { event, frame } of events.slice(0, stop)) log.addEvent(event, frame)
    log.flush() // and no close: what waits is gone
    const again = open()
    const onDisk = again.progress()
    let seen = 0
    for (const { event, frame } of events) {
      if (frame === onDisk.frame) seen += 1
      const isOnDisk = frame < onDisk.frame || (frame === onDisk.frame && seen <= onDisk.events)
      if (isOnDisk) again.skipEvent(event, frame)
      else again.addEvent(event, frame)
    }
    again.close()
    expect(wholeOf(records()), `killed after ${stop}`).toBe(expected)
    writeFileSync(path(), '')
  }
})
