import { describe, expect, test } from 'vitest'
import { fixtureRecordings } from '../../test/support/fixture-recordings.ts'
import { rawFacts } from '../../test/support/raw-facts.ts'
import { isTerminalEvent } from '../contract/event-guards.ts'
import type { AgentEvent } from '../contract/events.ts'
import type { RunResult } from '../contract/run-handle.ts'
import { type Recording, readRecording, replayRecording } from '../testing/index.ts'
import { loadAdapterFor } from './index.ts'

// Recordings that went through a terminal, a log or a crash. What does not touch the records changes nothing; whatever
// else happens, nothing is thrown, the promises of the contract hold, and what is still there is reported.

/** Their answer is text as it is, so that any line belongs to it. */
const PLAIN: ReadonlySet<string> = new Set(['continue', 'aider', 'crush'])
/** One document over many lines; or records that are passed on as they are. */
const AS_A_WHOLE = /^openclaw|json-document|^agent-mux-remote/
/** Recorders put what was said in both directions into records of their own. */
const ENVELOPE = /^\{"(?:t|ms|dir)":/

type Change = (lines: string[]) => string

const harmless: readonly (readonly [string, Change])[] = [
  ['lines that end as on Windows', (lines) => lines.map((line) => `${line}\r\n`).join('')],
  ['a byte order mark', (lines) => `\uFEFF${lines.join('\n')}\n`],
  ['no newline at the end', (lines) => lines.join('\n')],
]

const noisy: readonly (readonly [string, Change])[] = [
  ['blank lines', (lines) => lines.map((line) => `\n${line}\n  \n`).join('')],
  ['warnings of Node', (lines) => lines.map((line) => `(node:7) Warning: old\n${line}\n`).join('')],
  ['colours', (lines) => lines.map((line) => `\u001b[2m${line}\u001b[0m\n`).join('')],
  ['a field nobody knows', (lines) => lines.map((line) => `${line.replace(/\}$/, ',"zz_new":{"a":[1]}}')}\n`).join('')],
  [
    'records nobody knows',
    (lines) =>
      lines
        .map((line) => `${line}\n{"type":"zz_new_kind","n":1}\n{"type":"zz_long","x":"${'x'.repeat(9999)}"}\n`)
        .join(''),
  ],
]

const every = (n: number, change: (line: string) => string[]): Change => {
  return (lines) => `${lines.flatMap((line, index) => (index % n === n - 1 ? change(line) : [line])).join('\n')}\n`
}

const harmful: readonly (readonly [string, Change])[] = [
  ...[2, 3, 5].map((n) => [`every line ${n} lost`, every(n, () => [])] as const),
  ...[2, 3].map((n) => [`every line ${n} doubled`, every(n, (line) => [line, line])] as const),
  ...[2, 3].map((n) => [`every line ${n} cut`, every(n, (line) => [line.slice(0, line.length / 2)])] as const),
  ['numbers as words', (lines) => lines.join('\n').replace(/:(\d+(?:\.\d+)?)(?=[,}])/g, ':"$1"')],
  ['numbers as null', (lines) => lines.join('\n').replace(/:(\d+(?:\.\d+)?)(?=[,}])/g, ':null')],
  ['all in the wrong order', (lines) => lines.toReversed().join('\n')],
]

const damage: readonly (readonly [string, Change])[] = [0.25, 0.5, 0.75, 0.95].map(
  (part) =>
    [`cut at ${part} of its length`, (lines) => lines.join('\n').slice(0, part * lines.join('\n').length)] as const,
)

interface Told {
  events: AgentEvent[]
  result: RunResult
}

function promises({ events }: Told): void {
  expect(events.filter(({ type }) => type === 'session_start')).toHaveLength(1)
  expect(events.filter(({ type }) => type === 'session_end')).toHaveLength(1)
  expect(events.at(-1)?.type).toBe('session_end')
  expect(events.filter(isTerminalEvent).length).toBeLessThanOrEqual(1)
  expect(events.filter((event) => event.type === 'error' && event.code === 'PARSE_ERROR')).toEqual([])
  const turns = events.flatMap(({ type }) => (type === 'turn_start' || type === 'turn_end' ? [type] : []))
  expect(turns).toEqual(turns.map((_, index) => (index % 2 === 0 ? 'turn_start' : 'turn_end')))
}

const textOf = ({ events }: Told): string =>
  events.map((event) => (event.type === 'text_delta' ? event.delta : '')).join('')

const agents = [...new Set(fixtureRecordings.map(({ agent }) => agent))]

describe.each(agents)('%s', (agent) => {
  const recordings = fixtureRecordings.filter((recording) => recording.agent === agent)
  const replayed = async (recording: Recording, change?: Change): Promise<Told> => {
    const lines = recording.stdout.toString('utf8').trimEnd().split('\n')
    const stdout = change === undefined ? recording.stdout : Buffer.from(change(lines))
    return replayRecording(await loadAdapterFor(agent, {}), { ...recording, stdout })
  }
  const each = async (work: (recording: Recording, name: string) => Promise<void>) => {
    for (const { directory, name } of recordings) {
      const recording = readRecording(directory)
      if (recording.stdout.length > 0) await work(recording, name)
    }
  }

  test('nothing at all is not a success', async () => {
    const nothing = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0), exitCode: 0, signal: null, options: {} }
    const reported = await replayed(nothing)
    promises(reported)
    expect(reported.result.outcome.kind).not.toBe('completed')
  })

  test.each(harmless)('%s change nothing', (_, change) =>
    each(async (recording, name) => {
      expect(await replayed(recording, change), name).toEqual(await replayed(recording))
    }),
  )

  test.runIf(!PLAIN.has(agent)).each(noisy)('%s change nothing but the count of the unknown', (_, change) =>
    each(async (recording, name) => {
      if (AS_A_WHOLE.test(name) || ENVELOPE.test(recording.stdout.toString('utf8'))) return
      // The position of stderr among the lines is a guess that depends on the last one.
      const alone = { ...recording, stderr: Buffer.alloc(0) }
      const [before, after] = [await replayed(alone), await replayed(alone, change)]
      expect(after.events, name).toEqual(before.events)
      expect({ ...after.result, unrecognized: {} }, name).toEqual({ ...before.result, unrecognized: {} })
    }),
  )

  test.each(harmful)('%s: the promises hold', (_, change) =>
    each(async (recording) => promises(await replayed(recording, change))),
  )

  test.runIf(!PLAIN.has(agent))('what breaks off in the middle of a turn is not a success', () =>
    each(async (recording, name) => {
      const left = { ...recording, stderr: Buffer.alloc(0), exitCode: 0, signal: null }
      const whole = await replayed(left)
      if (AS_A_WHOLE.test(name) || whole.result.outcome.kind !== 'completed' || whole.result.turnCount > 1) return
      for (const part of [0.1, 0.3, 0.5, 0.7, 0.9]) {
        const { result } = await replayed(left, (lines) => `${lines.slice(0, lines.length * part).join('\n')}\n`)
        // Some agents say more after the turn is over.
        if (result.outcome.kind === 'completed') expect([result.text, part], name).toEqual([whole.result.text, part])
      }
    }),
  )

  test.each(damage)('%s: what was reported before is there', (_, change) =>
    each(async (recording, name) => {
      const reported = await replayed(recording, change)
      promises(reported)
      if (reported.result.outcome.kind === 'completed') return
      const facts = rawFacts(agent, change(recording.stdout.toString('utf8').trimEnd().split('\n')))
      if (facts !== null) expect(textOf(reported), name).toBe(facts.text)
    }),
  )
})
