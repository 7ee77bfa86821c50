import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type MadeRequest, writeSessions } from '../../test/support/session-corpus.ts'

const home = mkdtempSync(join(tmpdir(), 'amux-truth-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** The same numbers below a limit each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

// The clocks of Europe are set back on 2026-10-25, those of America a week later.
const START = Date.UTC(2026, 9, 23)
const made = writeSessions(home, START, numbers(5))

/** As somebody adds it up by hand. */
function sums(requests: readonly MadeRequest[], nameOf: (one: MadeRequest) => string): Record<string, number[]> {
  const groups: Record<string, number[]> = {}
  for (const one of requests) {
    const [input = 0, cached = 0, output = 0] = groups[nameOf(one)] ?? []
    groups[nameOf(one)] = [input + one.input, cached + one.cached, output + one.output]
  }
  return groups
}

interface Figures {
  inputTokens: number
  cacheReadTokens: number
  outputTokens: number
}

const reported = ({ inputTokens, cacheReadTokens, outputTokens }: Figures) => [
  inputTokens,
  cacheReadTokens,
  outputTokens,
]

/** `amux cost` in a place of the world. */
function cost(timeZone: string, ...args: string[]): { data: Figures & { breakdowns: Record<string, Figures> } } {
  const cli = join(import.meta.dirname, '..', '..', 'bin', 'amux.js')
  const env = { HOME: home, PATH: process.env.PATH, TZ: timeZone }
  return JSON.parse(execFileSync(process.execPath, [cli, 'cost', '--json', ...args], { encoding: 'utf8', env }))
}

const grouped = (timeZone: string, ...args: string[]) =>
  Object.fromEntries(
    Object.entries(cost(timeZone, ...args).data.breakdowns).map(([name, one]) => [name, reported(one)]),
  )

function dayIn(timeZone: string): (one: MadeRequest) => string {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  return ({ at }) => day.format(at)
}

describe('what was streamed, repeated, copied and added up in many ways counts once', () => {
  test.each([
    ['agent', ({ agent }: MadeRequest) => agent],
    ['model', ({ model }: MadeRequest) => model],
    ['project', ({ project }: MadeRequest) => project],
    ['session', ({ agent, session }: MadeRequest) => `${agent}:${session}`],
  ])('by %s', (name, nameOf) => {
    expect(grouped('UTC', '--by', name)).toEqual(sums(made, nameOf))
  })

  test.each([
    'UTC',
    'Europe/Berlin',
    'America/St_Johns',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Pacific/Kiritimati',
  ])('by day in %s', (timeZone) => {
    expect(grouped(timeZone, '--by', 'day')).toEqual(sums(made, dayIn(timeZone)))
  })

  test('between two times', () => {
    const [since, until] = [made[40]?.at ?? 0, made[120]?.at ?? 0]
    const range = ['--since', new Date(since).toISOString(), '--until', new Date(until).toISOString()]
    const within = made.filter(({ at }) => at >= since && at <= until)
    expect(grouped('Asia/Tokyo', '--by', 'model', ...range)).toEqual(sums(within, ({ model }) => model))
    expect(within.length).toBeGreaterThan(50)
  })
})
