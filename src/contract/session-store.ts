import type { Session } from './sessions.ts'

/** The tokens of one request to a model, counted as `TokenUsage` counts them. */
export interface UsageRow {
  /** What distinguishes this request from all others of its agent, also where a fork has copied it. */
  key: string
  /** Epoch milliseconds. */
  at: number
  model?: string
  inputTokens: number
  outputTokens: number
  thinkingTokens: number
  cacheReadTokens: number
  cacheCreationTokens: number
  /** How many of those are kept for an hour, which costs more. */
  cacheCreation1hTokens?: number
  /** What the agent says that it has cost. */
  costUsd?: number
}

/** What a session has used by now, as the agent has written it down. */
export interface UsageSource {
  /** All requests of a session and its sub-agents. `null` where the agent does not name its session. */
  rows(sessionId: string | null): Promise<readonly UsageRow[]>
  /** How many turns the session has by now; null where that is not known. */
  turns(sessionId: string): Promise<number | null>
  /** Calls back as soon as one of the files that were read changes. Returns what ends that. */
  onChange?(listener: () => void): () => void
}

/** What an agent itself has added up for a whole session, one model at a time. */
export interface ReportedUsage extends Omit<UsageRow, 'key' | 'at'> {
  model: string
}

/** What is known of a session without its words. */
export interface SessionFacts {
  sessionId: string
  /** Of a sub-agent: the session that it works for. It is not listed, and its tokens count there. */
  parentId?: string
  title: string
  createdAt: number
  updatedAt: number
  turnCount: number
  messageCount: number
  model?: string
  cwd?: string
  forkedFrom?: string
  /** Sums that count more than the requests in the file: helper models, and turns copied from another session. */
  reported?: ReportedUsage[]
  /** When the sums were written. */
  reportedAt?: number
}

/** Goes through a log from where it stopped last time. */
export interface LogReader {
  /** Whole lines only. A request reported again (its key is known) is reported with its newest counts. */
  read(lines: Buffer, add: (row: UsageRow) => void): void
  facts(): SessionFacts
  /** Plain data, from which `open` makes a reader that goes on here. */
  state(): unknown
}

/** A file that grows at its end, read without decoding what nobody asked for. */
export interface SessionLog {
  /** Raise it whenever the reader's results change, so that everything is read again. */
  version: number
  /** `saved` is the state of an earlier reader of this version. */
  open(filePath: string, saved: unknown): LogReader
}

/** Facts and counts of a session that is read whole. */
export interface SessionReading {
  facts: SessionFacts
  usage: UsageRow[]
}

/** The files in which an agent keeps its conversations. */
export interface SessionFiles {
  /** Which files below the store are conversations; `cwd` narrows to one project where the layout allows it. */
  isSession(relativePath: string, cwd?: string): boolean
  read(lines: AsyncIterable<string>, filePath: string): Promise<Session>
  /** Of a file that a sub-agent wrote: the session that it works for. */
  parentOf?(relativePath: string): string | undefined
  beside?: SessionSidecars
  log?: SessionLog
}

/** Small JSON files beside a session's own file, with facts that the file itself does not have. */
export interface SessionSidecars {
  paths(filePath: string): string[]
  /** Completes the facts and gives the counts that are kept there. `files` holds what is in `paths`, in their order. */
  read(facts: SessionFacts, files: readonly Record<string, unknown>[]): UsageRow[]
}

/** As much of somebody's database as is needed to read it. */
export interface Rows {
  all(sql: string, ...params: (string | number)[]): Record<string, unknown>[]
}

/** The same for an agent that keeps all of them in one database. A session is then addressed as `<file>#<id>`. */
export interface SessionTables {
  /** The ids of the conversations, newest last; `cwd` narrows to one project. */
  list(database: Rows, cwd?: string): string[]
  /** Null when there is none of this id. */
  read(database: Rows, sessionId: string): Session | null
  /** All sessions, those of sub-agents included, each with a stamp that changes whenever the session does. */
  stamps?(database: Rows): SessionStamp[]
  /** Facts and counts without the words. */
  reading?(database: Rows, sessionId: string): SessionReading | null
}

export interface SessionStamp {
  id: string
  stamp: string
  /** Epoch milliseconds: the session was not at work later. */
  touchedAt: number
}

export type SessionStore = SessionFiles | SessionTables
