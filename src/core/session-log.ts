import type { LogReader, SessionFacts, SessionLog, UsageRow } from '../contract/session-store.ts'
import { isRecord, type JsonRecord, parseRecord } from './json.ts'
import { sessionTitle } from './session-title.ts'
import type { UsageCounts } from './usage.ts'

const NEWLINE = 0x0a

/** What a reader keeps between two readings: plain data. */
export interface LogState {
  facts: SessionFacts
}

/** How one agent's log is read: pure but for the state. */
export interface LogDefinition<State extends LogState> {
  version: number
  start(filePath: string): State
  /** One line, from `start` to before `end` in `bytes`. */
  line(state: State, bytes: Buffer, start: number, end: number, add: (row: UsageRow) => void): void
  /** After the last line: what is known only when all have been read. */
  conclude?(state: State): void
}

export function sessionLog<State extends LogState>(definition: LogDefinition<State>): SessionLog {
  const { version, start, line, conclude } = definition
  const open = (filePath: string, saved: unknown): LogReader => {
    const state: State = { ...start(filePath), ...(isRecord(saved) ? saved : {}) }
    return {
      read(lines, add) {
        for (let at = 0; at < lines.length; ) {
          const found = lines.indexOf(NEWLINE, at)
          const end = found === -1 ? lines.length : found
          line(state, lines, at, end, add)
          at = end + 1
        }
        conclude?.(state)
      },
      facts: () => state.facts,
      state: () => state,
    }
  }
  return { version, open }
}

export function emptyFacts(sessionId: string): SessionFacts {
  return { sessionId, title: '', createdAt: 0, updatedAt: 0, turnCount: 0, messageCount: 0 }
}

/** The first time is when a session began, the latest when it was last at work. */
export function seenAt(facts: SessionFacts, time: number | undefined): void {
  if (time === undefined) return
  facts.createdAt ||= time
  facts.updatedAt = Math.max(facts.updatedAt, time)
}

export function lineRecord(bytes: Buffer, start: number, end: number): JsonRecord | null {
  return parseRecord(bytes.toString('utf8', start, end))
}

/** For a log whose lines are parsed whole. */
export function recordLog<State extends LogState>(
  definition: Omit<LogDefinition<State>, 'line'> & {
    record(state: State, record: JsonRecord, add: (row: UsageRow) => void): void
  },
): SessionLog {
  return sessionLog<State>({
    ...definition,
    line(state, bytes, start, end, add) {
      const record = lineRecord(bytes, start, end)
      if (record) definition.record(state, record, add)
    },
  })
}

export function usageRow(key: string, at: number, model: string | undefined, counts: UsageCounts): UsageRow {
  const { inputTokens, outputTokens, thinkingTokens, cacheReadTokens, cacheCreationTokens } = counts
  return { key, at, model, inputTokens, outputTokens, thinkingTokens, cacheReadTokens, cacheCreationTokens }
}

/** What a person has said. */
export function countPrompt(facts: SessionFacts, content: string): void {
  facts.messageCount += 1
  facts.turnCount += 1
  facts.title ||= sessionTitle(content)
}
