import type { AgentName } from '../contract/names.ts'
import type { ReportedUsage, UsageRow } from '../contract/session-store.ts'
import { asNumber, asRecords, asString, type JsonRecord, parseRecord } from '../core/json.ts'
import type { Database } from '../files/sqlite.ts'
import type { FoundSource, KnownSource, SourceReading } from './sources.ts'

export const text = (value: unknown): string => asString(value) ?? ''
export const number = (value: unknown): number => asNumber(value) ?? 0

const SOURCE_COLUMNS = [
  ...['agent', 'path', 'stamp', 'marks', 'position', 'reader', 'state', 'problem', 'born', 'session_id', 'parent_id'],
  ...['root_id', 'title', 'created_at', 'updated_at', 'turn_count', 'message_count', 'model', 'cwd', 'reported'],
  ...['reported_at', 'forked_from'],
]

const USAGE_COLUMNS = [
  ...['source', 'key', 'at', 'model', 'input', 'output', 'thinking', 'cache_read', 'cache_creation', 'told_usd'],
  'cost_usd',
]

/** A row that is there already takes the new values, but for those that are `kept` when there is no new one. */
function upsert(
  table: string,
  key: readonly string[],
  columns: readonly string[],
  kept: readonly string[] = [],
): string {
  const changes = columns
    .filter((column) => !key.includes(column))
    .map(
      (column) =>
        `${column} = ${kept.includes(column) ? `coalesce(excluded.${column}, ${column})` : `excluded.${column}`}`,
    )
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
    ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${changes.join(', ')}`
}

export interface SourceRow {
  id: number
  reported: ReportedUsage[]
  reportedAt: number
}

/** The statements that fill the index, prepared once. */
export function tablesOf(database: Database) {
  const stamps = database.prepare('SELECT path, stamp, problem FROM source WHERE agent = ?')
  const source = database.prepare('SELECT * FROM source WHERE agent = ? AND path = ?')
  const ofRoot = database.prepare('SELECT id, reported, reported_at FROM source WHERE agent = ? AND root_id = ?')
  // A fork that tells nothing of its origin is known by what it has copied, and then stays known.
  const put = database.prepare(`${upsert('source', ['agent', 'path'], SOURCE_COLUMNS, ['forked_from'])} RETURNING id`)
  const putUsage = database.prepare(upsert('usage', ['source', 'key'], USAGE_COLUMNS))
  const usageOf = database.prepare('SELECT * FROM usage WHERE source = ?')
  const clearUsage = database.prepare('DELETE FROM usage WHERE source = ?')
  const note = database.prepare('SELECT value FROM meta WHERE name = ?')
  const putNote = database.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)')
  const clearText = database.prepare('DELETE FROM block WHERE source = ?')
  const forgetText = database.prepare(`UPDATE source SET text_stamp = '', text_position = 0 WHERE id = ?`)
  const drop = database.prepare('DELETE FROM source WHERE agent = ? AND path = ?')

  return {
    /** By path; with the reason when it could not be read as it is. */
    stamps(agent: AgentName): Map<string, { stamp: string; problem: string | undefined }> {
      const rows = stamps.all(agent)
      return new Map(rows.map((row) => [text(row.path), { stamp: text(row.stamp), problem: asString(row.problem) }]))
    },
    source(agent: AgentName, path: string): KnownSource | null {
      const row = source.get(agent, path)
      return row ? knownSource(row) : null
    },
    ofRoot: (agent: AgentName, rootId: string): SourceRow[] => ofRoot.all(agent, rootId).map(sourceRow),
    putSource(
      agent: AgentName,
      found: FoundSource,
      { facts, ...reading }: SourceReading,
      problem: string | null,
    ): number {
      const { sessionId, parentId, reported } = facts
      const row = put.get(
        ...[agent, found.path, found.stamp, reading.marks, reading.position, reading.reader, reading.state, problem],
        ...[found.born, sessionId, parentId ?? null, parentId ?? sessionId, facts.title, facts.createdAt],
        ...[facts.updatedAt, facts.turnCount, facts.messageCount, facts.model ?? null, facts.cwd ?? null],
        ...[reported ? JSON.stringify({ reported }) : null, facts.reportedAt ?? null, facts.forkedFrom ?? null],
      )
      return number(row?.id)
    },
    putUsage(source: number, row: UsageRow, costUsd: number | null): void {
      const { inputTokens, outputTokens, thinkingTokens, cacheReadTokens, cacheCreationTokens } = row
      putUsage.run(
        ...[source, row.key, row.at, row.model ?? '', inputTokens, outputTokens, thinkingTokens],
        ...[cacheReadTokens, cacheCreationTokens, row.costUsd ?? null, costUsd],
      )
    },
    usage: (source: number): UsageRow[] => usageOf.all(source).map(usageRowOf),
    /** Of a source that is read anew: what was read of it before. */
    clear(source: number): void {
      clearUsage.run(source)
      clearText.run(source)
      forgetText.run(source)
    },
    drop: (agent: AgentName, path: string) => drop.run(agent, path),
    note: (name: string) => asString(note.get(name)?.value),
    putNote: (name: string, value: string) => putNote.run(name, value),
    forgetReadings(): void {
      database.exec(`UPDATE source SET stamp = '', reader = -1; DELETE FROM meta`)
    },
  }
}

export type Tables = ReturnType<typeof tablesOf>

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

function sourceRow(row: JsonRecord): SourceRow {
  const parts = asRecords(parseRecord(text(row.reported))?.reported)
  return { id: number(row.id), reported: parts.map(reportedUsage), reportedAt: number(row.reported_at) }
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

function usageRowOf(row: JsonRecord): UsageRow {
  return {
    key: text(row.key),
    at: number(row.at),
    model: text(row.model) || undefined,
    inputTokens: number(row.input),
    outputTokens: number(row.output),
    thinkingTokens: number(row.thinking),
    cacheReadTokens: number(row.cache_read),
    cacheCreationTokens: number(row.cache_creation),
    costUsd: asNumber(row.told_usd),
  }
}
