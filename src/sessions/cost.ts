import type { CostFigures, CostGroup, CostQuery, CostSummary } from '../contract/session-manager.ts'
import type { JsonRecord } from '../core/json.ts'
import { roundUsd } from '../core/usage.ts'
import type { Database } from '../files/sqlite.ts'
import { allOf, among, below, compare } from './filter.ts'
import type { OwnRuns } from './own-runs.ts'
import { noSums, type Requests, type Sums } from './requests.ts'
import { requestsOf, text } from './tables.ts'
import { timeBlocks } from './time-blocks.ts'
import { unifiedId } from './unified-id.ts'

const UNKNOWN = 'unknown'
const UNTAGGED = 'untagged'

/** A sum with the sessions that it is of. */
interface Total {
  sums: Sums
  sessions: Set<string>
  models: Set<string>
}

const noTotal = (): Total => ({ sums: noSums(), sessions: new Set(), models: new Set() })

function figuresOf({ sums, sessions }: Total): CostFigures {
  return {
    totalUsd: sums.usd === null ? null : roundUsd(sums.usd),
    source: sums.usd === null ? 'unpriced' : sums.estimated > 0 ? 'estimated' : 'reported',
    inputTokens: sums.input,
    outputTokens: sums.output,
    thinkingTokens: sums.thinking,
    cacheReadTokens: sums.cacheRead,
    cacheCreationTokens: sums.cacheCreation,
    unpricedTokens: sums.unpriced,
    sessionCount: sessions.size,
  }
}

/** The user's own day, as `2026-11-15`. Kept for each hour, because a date costs more than all the rest. */
class LocalDays {
  readonly #days = new Map<number, string>()

  of(time: number): string {
    // A quarter of an hour: every time zone is a whole number of them away from UTC.
    const quarter = Math.floor(time / 900_000)
    let day = this.#days.get(quarter)
    if (day === undefined) {
      const date = new Date(quarter * 900_000)
      const two = (value: number) => String(value).padStart(2, '0')
      day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
      this.#days.set(quarter, day)
    }
    return day
  }
}

/** What a request belongs to: it may be in sessions with several tags. */
type GroupOf = (source: JsonRecord, requests: Requests, row: number) => string | readonly string[]

/** `times` are those of all requests that count. */
function groupsBy(group: CostGroup, runs: OwnRuns, times: () => readonly number[]): GroupOf {
  const days = new LocalDays()
  switch (group) {
    case 'agent':
      return (source) => text(source.agent)
    case 'model':
      return (_source, requests, row) => requests.model(row) || UNKNOWN
    case 'day':
      return (_source, requests, row) => days.of(requests.at(row))
    case 'month':
      return (_source, requests, row) => days.of(requests.at(row)).slice(0, '2026-11'.length)
    case 'block': {
      const blockOf = timeBlocks(times())
      return (_source, requests, row) => startOfBlock(blockOf(requests.at(row)), days)
    }
    case 'project':
      return (source) => text(source.project) || UNKNOWN
    case 'session':
      return sessionOf
    case 'tag':
      return (source) => {
        const tags = runs.tagsOf(sessionOf(source))
        return tags.length > 0 ? tags : UNTAGGED
      }
  }
}

/** The user's own time, as `2026-11-15 14:00`. */
function startOfBlock(at: number, days: LocalDays): string {
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${days.of(at)} ${two(date.getHours())}:${two(date.getMinutes())}`
}

function sessionOf(source: JsonRecord): string {
  return unifiedId(text(source.agent), text(source.root_id))
}

function sourcesOf(
  database: Database,
  { agent, sessionId, cwd, tags }: CostQuery<number>,
  runs: OwnRuns,
): JsonRecord[] {
  const tagged = among('root_id', runs.tagged(tags))
  const ofSession = compare('source.root_id = ?', sessionId)
  const condition = allOf([compare('source.agent = ?', agent), ofSession, below('project', cwd), tagged])
  // Several files may hold a session, and those of its sub-agents may have its id: a join would count them twice.
  const statement = database.prepare(`
    SELECT source.agent, source.root_id, source.requests, source.models, coalesce(
      CASE WHEN source.parent_id IS NOT NULL THEN (
        SELECT root.cwd FROM source AS root
        WHERE root.agent = source.agent AND root.session_id = source.root_id AND root.parent_id IS NULL LIMIT 1
      ) END, source.cwd) AS project
    FROM source WHERE length(source.requests) > 0 AND ${condition.sql}`)
  return statement.all(...condition.params)
}

function timesOf(requests: Requests, counts: (requests: Requests, row: number) => boolean): number[] {
  const times: number[] = []
  for (let row = 0; row < requests.length; row++) if (counts(requests, row)) times.push(requests.at(row))
  return times
}

/** What was spent in the given time, whatever sessions it was spent in. A copied request counts once. */
export function sumCost(database: Database, query: CostQuery<number>, runs: OwnRuns): CostSummary {
  const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY, model, groupBy } = query
  const total = noTotal()
  const groups = new Map<string, Total>()
  const unpriced = new Set<string>()
  const sources = sourcesOf(database, query, runs)
  const counts = (requests: Requests, row: number): boolean => {
    const at = requests.at(row)
    return at >= since && at <= until && (model === undefined || requests.model(row) === model)
  }
  const times = () => sources.map(requestsOf).flatMap((requests) => timesOf(requests, counts))
  const groupOf = groupBy === undefined ? null : groupsBy(groupBy, runs, times)
  for (const source of sources) {
    const session = sessionOf(source)
    const requests = requestsOf(source)
    for (let row = 0; row < requests.length; row++) {
      if (!counts(requests, row)) continue
      if (!requests.sumRow(row, total.sums)) continue
      total.sessions.add(session)
      if (requests.isUnpriced(row)) unpriced.add(requests.model(row) || UNKNOWN)
      if (!groupOf) continue
      const names = groupOf(source, requests, row)
      for (const name of typeof names === 'string' ? [names] : names) {
        let group = groups.get(name)
        if (!group) {
          group = noTotal()
          groups.set(name, group)
        }
        requests.sumRow(row, group.sums)
        group.sessions.add(session)
        group.models.add(requests.model(row) || UNKNOWN)
      }
    }
  }
  const breakdowns = Object.fromEntries(
    [...groups].map(([name, group]) => [name, { ...figuresOf(group), models: [...group.models].sort() }]),
  )
  return {
    ...figuresOf(total),
    runCount: runs.count(total.sessions, since, until),
    unpricedModels: [...unpriced].sort(),
    ...(groupOf ? { breakdowns } : {}),
  }
}
