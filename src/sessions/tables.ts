import type { AgentName } from '../contract/names.ts'
import type { ReportedUsage } from '../contract/session-store.ts'
import { asNumber, asRecords, asString, type JsonRecord, parseRecord } from '../core/json.ts'
import type { Database, SqlValue } from '../files/sqlite.ts'
import { Requests } from './requests.ts'
import type { FoundSource, KnownSource, SourceReading } from './sources.ts'

export const text = (value: unknown): string => asString(value) ?? ''
export const number = (value: unknown): number => asNumber(value) ?? 0

const SOURCE_COLUMNS = [
  ...['agent', 'path', 'stamp', 'marks', 'position', 'reader', 'state', 'problem', 'born', 'session_id', 'parent_id'],
  ...['root_id', 'title', 'created_at', 'updated_at', 'turn_count', 'message_count', 'model', 'cwd', 'reported'],
  ...['reported_at', 'forked_from'],
]

const REQUEST_COLUMNS = [
  ...['requests', 'keys', 'models', 'input', 'output', 'thinking', 'cache_read', 'cache_creation', 'usd', 'estimated'],
  ...['unpriced', 'copies', 'settled'],
]

/** A row that is there already takes the new values, but for those that are `kept` when there is no new one. */
function upsert(table: string, key: readonly string[], columns: readonly string[], kept: readonly string[]): string {
  const changes = columns
    .filter((column) => !key.includes(column))
    .map((name) => `${name} = ${kept.includes(name) ? `coalesce(excluded.${name}, ${name})` : `excluded.${name}`}`)
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
    ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${changes.join(', ')}`
}

/** By path; with the reason when it could not be read as it is. */
export type KnownStamps = ReadonlyMap<string, { stamp: string; problem: string | undefined }>

/** A source with its requests. */
export interface SourceRequests {
  id: number
  path: string
  requests: Requests
  reported: ReportedUsage[]
  reportedAt: number
}

function requestValues(requests: Requests, isSettled: boolean): SqlValue[] {
  const { input, output, thinking, cacheRead, cacheCreation, usd, estimated, unpriced, copies } = requests.sum()
  return [
    ...[requests.pack(), requests.packKeys(), JSON.stringify(requests.models), input, output, thinking, cacheRead],
    ...[cacheCreation, usd, estimated, unpriced, copies, isSettled ? 1 : 0],
  ]
}

/** The statements that fill the index, prepared once. */
export function tablesOf(database: Database) {
  const stamps = database.prepare('SELECT path, stamp, problem FROM source WHERE agent = ?')
  const source = database.prepare('SELECT * FROM source WHERE agent = ? AND path = ?')
  const ofRoot = database.prepare('SELECT * FROM source WHERE agent = ? AND root_id = ?')
  // A fork that says nothing of its origin is known by what it has copied, and then stays known.
  const put = database.prepare(
    `${upsert('source', ['agent', 'path'], [...SOURCE_COLUMNS, ...REQUEST_COLUMNS], ['forked_from'])} RETURNING id`,
  )
  const putRequests = database.prepare(
    `UPDATE source SET ${REQUEST_COLUMNS.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`,
  )
  const clearText = database.prepare('DELETE FROM block WHERE source = ?')
  const forgetText = database.prepare(`UPDATE source SET text_stamp = '', text_position = 0 WHERE id = ?`)
  const parentOf = database.prepare('SELECT parent_id FROM source WHERE agent = ? AND session_id = ?')
  const moveRoot = database.prepare('UPDATE source SET root_id = ? WHERE agent = ? AND root_id = ?')
  const note = database.prepare('SELECT value FROM meta WHERE name = ?')
  const putNote = database.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)')
  const unsettled = database.prepare(
    'SELECT 1 FROM source INDEXED BY source_unsettled WHERE agent = ? AND settled = 0 LIMIT 1',
  )
  const unsettle = database.prepare('UPDATE source SET settled = 0 WHERE agent = ? AND copies > 0')
  const drop = database.prepare('DELETE FROM source WHERE agent = ? AND path = ?')

  return {
    stamps(agent: AgentName): KnownStamps {
      const rows = stamps.all(agent)
      return new Map(rows.map((row) => [text(row.path), { stamp: text(row.stamp), problem: asString(row.problem) }]))
    },
    source(agent: AgentName, path: string): KnownSource | null {
      const row = source.get(agent, path)
      return row ? knownSource(row) : null
    },
    requests(agent: AgentName, path: string): Requests {
      const row = source.get(agent, path)
      return row ? requestsOf(row) : new Requests()
    },
    ofRoot: (agent: AgentName, rootId: string): SourceRequests[] => ofRoot.all(agent, rootId).map(sourceRequests),
    put(
      agent: AgentName,
      found: FoundSource,
      { facts, ...reading }: SourceReading,
      root: string,
      requests: Requests,
      problem: string | null,
    ): number {
      const { sessionId, parentId, reported } = facts
      const row = put.get(
        ...[agent, found.path, found.stamp, reading.marks, reading.position, reading.reader, reading.state, problem],
        ...[found.born, sessionId, parentId ?? null, root, facts.title, facts.createdAt, facts.updatedAt],
        ...[facts.turnCount, facts.messageCount, facts.model ?? null, facts.cwd ?? null],
        ...[reported ? JSON.stringify({ reported }) : null, facts.reportedAt ?? null, facts.forkedFrom ?? null],
        ...requestValues(requests, false),
      )
      return number(row?.id)
    },
    putRequests(id: number, requests: Requests, isSettled: boolean): void {
      putRequests.run(...requestValues(requests, isSettled), id)
    },
    /** Of a source that is read again: the words that were read before. */
    forgetText(id: number): void {
      clearText.run(id)
      forgetText.run(id)
    },
    parentOf: (agent: AgentName, sessionId: string) => asString(parentOf.get(agent, sessionId)?.parent_id),
    moveRoot: (agent: AgentName, from: string, to: string) => moveRoot.run(to, agent, from),
    isUnsettled: (agent: AgentName) => unsettled.get(agent) !== undefined,
    /** Where something has gone, what was a copy of it may be one no more. */
    unsettleCopies: (agent: AgentName) => unsettle.run(agent),
    drop: (agent: AgentName, path: string) => drop.run(agent, path),
    note: (name: string) => asString(note.get(name)?.value),
    putNote: (name: string, value: string) => putNote.run(name, value),
    forgetReadings(): void {
      database.exec(`UPDATE source SET stamp = '', reader = -1; DELETE FROM meta`)
    },
  }
}

function knownSource(row: JsonRecord): KnownSource {
  return {
    id: number(row.id),
    stamp: text(row.stamp),
    marks: text(row.marks),
    position: number(row.position),
    reader: number(row.reader),
    state: text(row.state),
  }
}

export function requestsOf({ requests, models }: JsonRecord): Requests {
  const { names } = parseRecord(`{"names":${text(models) || '[]'}}`) ?? {}
  const list = Array.isArray(names) ? names.map(text) : []
  return requests instanceof Uint8Array ? Requests.unpack(requests, list) : new Requests()
}

function sourceRequests(row: JsonRecord): SourceRequests {
  return {
    id: number(row.id),
    path: text(row.path),
    requests: requestsOf(row),
    reported: asRecords(parseRecord(text(row.reported))?.reported).map(reportedUsage),
    reportedAt: number(row.reported_at),
  }
}

function reportedUsage(row: JsonRecord): ReportedUsage {
  return {
    model: text(row.model),
    inputTokens: number(row.inputTokens),
    outputTokens: number(row.outputTokens),
    thinkingTokens: number(row.thinkingTokens),
    cacheReadTokens: number(row.cacheReadTokens),
    cacheCreationTokens: number(row.cacheCreationTokens),
    costUsd: asNumber(row.costUsd),
  }
}
