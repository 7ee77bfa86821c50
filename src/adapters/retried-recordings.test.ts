import { describe, expect, test } from 'vitest'
import { fixtureRecordings } from '../../test/support/fixture-recordings.ts'
import type { AgentEvent, EventOfType } from '../contract/events.ts'
import type { RunResult } from '../contract/run-handle.ts'
import { addUsage, emptyUsage } from '../core/usage.ts'
import { replay } from '../engine/replay.ts'
import { type Recording, readRecording } from '../testing/index.ts'
import { loadAdapterFor } from './index.ts'

// An attempt that fails anywhere, and is retried, must leave nothing behind but what it has cost: the answer is that of
// the attempt that went well, to the letter.

const SEEDED_PREFIXES = 3

/** A hash of the name (FNV-1a) and a step of its own for each cut: other places in each recording, the same in each run. */
function seededCut(name: string, index: number, below: number): number {
  let hash = 0x811c9dc5
  for (const character of `${index} ${name}`) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193)
  return (hash >>> 0) % below
}

/** Nothing, everything, and some prefixes in between. A short recording is cut at each of its lines. */
function prefixesOf(name: string, stdout: Buffer): Buffer[] {
  const lines = stdout.toString('utf8').trimEnd().split('\n')
  const seeded = Array.from({ length: SEEDED_PREFIXES }, (_, index) => seededCut(name, index, lines.length))
  const cuts = lines.length <= SEEDED_PREFIXES ? lines.map((_, index) => index) : seeded
  return [...new Set([0, ...cuts, lines.length])].map((cut) => Buffer.from(lines.slice(0, cut).join('\n')))
}

/** What may differ between an attempt that begins a run and one that goes on with it. */
const ONCE: ReadonlySet<AgentEvent['type']> = new Set([
  ...(['session_start', 'session_resume', 'session_checkpoint', 'session_end'] as const),
  ...(['turn_start', 'turn_end', 'cost'] as const),
])

const lasting = (events: readonly AgentEvent[]) => events.filter(({ type }) => !ONCE.has(type))

function answerOf({ text, structuredOutput, turnCount, outcome, exitReason, error }: RunResult) {
  return { text, structuredOutput, turnCount, outcome, exitReason, error }
}

function mustBePaired(events: readonly AgentEvent[]): void {
  const open = new Set<string>()
  for (const event of events) {
    if (event.type === 'message_start' || event.type === 'thinking_start') open.add(event.type)
    if (event.type === 'message_stop') open.delete('message_start')
    if (event.type === 'thinking_stop') open.delete('thinking_start')
    if (event.type === 'tool_call_start') open.add(event.toolCallId)
    if (event.type === 'tool_result' || event.type === 'tool_error') open.delete(event.toolCallId)
  }
  expect([...open]).toEqual([])
}

const agents = [...new Set(fixtureRecordings.map(({ agent }) => agent))]

describe.each(agents)('%s', (agent) => {
  const recordings = fixtureRecordings.filter((recording) => recording.agent === agent)

  test.each(recordings)('$name: a retry after any prefix of it', async ({ name, directory }) => {
    const adapter = await loadAdapterFor(agent, {})
    const recording = readRecording(directory)
    const of = (one: Recording, earlier: Recording[] = []) =>
      replay(adapter, one, {
        runId: '0'.repeat(26),
        now: () => 0,
        options: { retryPolicy: {}, ...one.options },
        earlier,
      })
    const alone = of(recording)
    for (const stdout of prefixesOf(name, recording.stdout)) {
      const failed = { ...recording, stdout, stderr: Buffer.alloc(0), exitCode: 1, signal: null }
      const { events, result } = of(recording, [failed])
      const at = events.findIndex((event) => event.type === 'attempt_withdrawn' && event.scope === 'run')
      expect(answerOf(result)).toEqual(answerOf(alone.result))
      expect(lasting(events.slice(at + 2))).toEqual(lasting(alone.events))
      expect(events[at + 1]).toMatchObject({ type: 'retry', attempt: 1 })
      mustTakeBack(events, at)
      const before = of(failed).result
      if (!before.tokenUsage && !alone.result.tokenUsage) continue
      const both = addUsage(before.tokenUsage ?? emptyUsage(), alone.result.tokenUsage ?? emptyUsage())
      expect(result.tokenUsage).toEqual(both)
      // A replay has no prices, so it cannot tell what an attempt cost that ended before its agent said so.
      if (before.tokenUsage && !before.cost) continue
      const usd = (before.cost?.totalUsd ?? 0) + (alone.result.cost?.totalUsd ?? 0)
      expect(result.cost?.totalUsd ?? 0).toBeCloseTo(usd, 8)
    }
  })
})

/** Who takes back what the event names has nothing left of the attempt. */
function mustTakeBack(events: readonly AgentEvent[], at: number): void {
  const before = events.slice(0, at)
  mustBePaired(before)
  const withdrawn = events[at]
  if (withdrawn?.type !== 'attempt_withdrawn') throw new Error('nothing was withdrawn')
  let said = ''
  const calls: string[] = []
  for (const event of before) {
    if (event.type === 'message_stop') said += event.text
    if (event.type === 'tool_call_start') calls.push(event.toolCallId)
    if (event.type === 'attempt_withdrawn') said = withoutEnd(said, event, calls)
  }
  expect(withdrawn.text).toBe(said)
  expect(withdrawn.toolCallIds).toEqual(calls)
}

function withoutEnd(said: string, { text, toolCallIds }: EventOfType<'attempt_withdrawn'>, calls: string[]): string {
  expect(said.endsWith(text)).toBe(true)
  expect(calls.slice(calls.length - toolCallIds.length)).toEqual(toolCallIds)
  calls.length -= toolCallIds.length
  return said.slice(0, said.length - text.length)
}
