import type { Fact } from './activity.ts'
import type { AgentEvent } from './events.ts'
import type { AgentName } from './names.ts'
import type { Session, SessionSummary } from './sessions.ts'
import type { CostSource } from './usage.ts'

/** A moment: a `Date`, epoch milliseconds, or text: `7d`, `12h`, `today`, `2026-11-01`, an ISO time. */
export type Moment = Date | number | string

/** Which sessions to list. */
export interface SessionFilter<Time = Moment> {
  /** Both inclusive, against the last activity of a session. */
  since?: Time | undefined
  until?: Time | undefined
  model?: string | undefined
  /** A session with any of these. */
  tags?: string[] | undefined
  /** The project: this directory and everything below it. */
  cwd?: string | undefined
}

/** What `sessions.list` takes. */
export interface SessionListOptions<Time = Moment> extends SessionFilter<Time> {
  agent?: AgentName | undefined
  /** Only those of these ids of their agents. */
  sessionIds?: string[] | undefined
  /** 100 by default. */
  limit?: number | undefined
  sort?: 'date' | 'cost' | 'turns' | undefined
  sortDirection?: 'asc' | 'desc' | undefined
}

/** What `sessions.search` takes. */
export interface SessionSearchOptions<Time = Moment> extends SessionFilter<Time> {
  /** All of these words, each by its beginning; text in double quotes is matched exactly. */
  text: string
  agent?: AgentName | undefined
  /** 50 by default. */
  limit?: number | undefined
  sort?: 'relevance' | 'date' | 'cost' | undefined
}

/** `block`: five hours from the full hour of the first request, as several vendors count what a plan allows. */
export type CostGroup = 'agent' | 'model' | 'day' | 'month' | 'block' | 'tag' | 'project' | 'session'

/** Here `since`, `until` and `model` are those of each request: what was spent then, in sessions of whatever age. */
export interface CostQuery<Time = Moment> extends SessionFilter<Time> {
  agent?: AgentName | undefined
  /** Only this one of `agent`, with its sub-agents. Then only what was written to since `since` is read for it. */
  sessionId?: string | undefined
  groupBy?: CostGroup | undefined
}

/** Tokens and cost of one row of a cost report. */
export interface CostFigures {
  /** What is known; tokens without a price are not in it but in `unpricedTokens`. Null: nothing here has a price. */
  totalUsd: number | null
  source: CostSource
  inputTokens: number
  outputTokens: number
  thinkingTokens: number
  cacheReadTokens: number
  cacheCreationTokens: number
  unpricedTokens: number
  sessionCount: number
  /** In a breakdown: the models that were asked, by name. */
  models?: string[]
}

/** What sessions have cost, in total and by group. */
export interface CostSummary extends CostFigures {
  /** Runs of ours among them. */
  runCount: number
  breakdowns?: Record<string, CostFigures>
  /** Models without a known price. */
  unpricedModels: string[]
}

/** The formats of `sessions.export`. */
export type ExportFormat = 'json' | 'jsonl' | 'markdown'

/** One difference between two sessions. */
export interface SessionDiffOperation {
  op: 'addition' | 'removal' | 'modification' | 'unchanged'
  indexA?: number
  indexB?: number
  messageA?: Session['messages'][number]
  messageB?: Session['messages'][number]
}

/** How two sessions differ. */
export interface SessionDiff {
  operations: SessionDiffOperation[]
  stats: Record<'additions' | 'removals' | 'modifications' | 'unchanged', number>
}

/** A file or store that could not be read: named, skipped, never fatal. */
export interface SessionWarning {
  agent: AgentName
  path: string
  message: string
}

/** How far the reading of sessions has come. */
export interface IndexProgress {
  agent: AgentName
  /** Files, or sessions in a database, that have been read. */
  done: number
  total: number
}

/** What `sessions.refresh` takes. */
export interface RefreshOptions {
  agent?: AgentName | undefined
  /** The words for `search`, too. */
  text?: boolean | undefined
  onProgress?: ((progress: IndexProgress) => void) | undefined
}

/** Whether a session can be gone on with here and now, and if not, why. */
export type Resumable =
  | { resumable: true }
  | { resumable: false; reason: string; lacks: 'ability' | 'installation' | 'version' | 'directory' }

export type Continuation = 'resume' | 'fork'

/** What `sessions.watch` takes. */
export interface SessionWatchOptions {
  /** This many of the last turns are emitted first. Without it, only what is new. */
  turns?: number | undefined
  /** How often to look where the system reports no changes: a second, for a database two. */
  pollMs?: number | undefined
  signal?: AbortSignal | undefined
}

/** What `sessions.handoff` takes. */
export interface HandoffOptions {
  /** What the next agent is to do. Without it: to go on. */
  prompt?: string | undefined
  /** The most tokens, by our estimate, that the text may have. 24,000 by default. */
  budget?: number | undefined
}

/** A session as a prompt for another agent. */
export interface Handoff {
  /** The prompt for the next agent. */
  text: string
  /** By our estimate. */
  tokens: number
  /** What the text does not hold, and says that it does not. */
  leftOut: { turns: number; messages: number; shortened: number }
  /** For `RunOptions.continuedFrom`, so that the lineage is kept. */
  continuedFrom: string
  /** Where the conversation was held. */
  cwd?: string
}

/** All sessions of all agents, no matter who started them. Reads only; nothing is written to an agent's own store. */
export interface SessionManager {
  /**
   * Of one agent, or of all. The newest ones are there at once, however much there is to read. `cost` is known when all
   * has been read (by `totalCost` or `refresh`): only then it is known what a fork has copied from where.
   */
  list(options?: SessionListOptions): Promise<SessionSummary[]>
  list(agent?: AgentName | null, options?: SessionListOptions): Promise<SessionSummary[]>
  get(agent: AgentName, sessionId: string): Promise<Session>
  /** Where the agent keeps it: a file, or a database and the place in it, as `file#id`. */
  locate(agent: AgentName, sessionId: string): Promise<string>
  /**
   * Over all that was said, titles included. The first time all of it has to be read: `refresh` reports the progress.
   */
  search(options: SessionSearchOptions): Promise<SessionSummary[]>
  totalCost(query?: CostQuery): Promise<CostSummary>
  /** Reads all that is new. Every other call does this as far as it needs to; this one reports the progress. */
  refresh(options?: RefreshOptions): Promise<void>
  export(agent: AgentName, sessionId: string, format: ExportFormat): Promise<string>
  diff(a: string, b: string): Promise<SessionDiff>
  /**
   * What happens in a session that somebody else runs, as events, until it is deleted or the reader leaves. Throws on
   * the first step when there is none.
   */
  watch(agent: AgentName, sessionId: string, options?: SessionWatchOptions): AsyncIterable<AgentEvent>
  /**
   * What the agent does there, as its adapter reads it from what the agent keeps (`getActivityState`), no matter who
   * runs it. Null: it cannot be determined. `readyThresholdMs`: how long a transcript may stand still in the middle of
   * a turn.
   */
  activity(agent: AgentName, sessionId: string, readyThresholdMs?: number): Promise<Fact | null>
  /** Checked: the session is there and its directory too, the agent installed, its version able. */
  resumable(agent: AgentName, sessionId: string, how?: Continuation): Promise<Resumable>
  /** The same for sessions that were listed: they need not be looked for again. In their order. */
  resumableAll(sessions: readonly SessionSummary[], how?: Continuation): Promise<Resumable[]>
  /**
   * A unified or native id, the beginning of one that no other session has, or the name or id of a managed session.
   * Throws when it is none, or several.
   */
  resolve(id: string): Promise<{ agent: AgentName; sessionId: string }>
  /** Writes a conversation down for another agent, as the prompt of a run with `continuedFrom`. */
  handoff(agent: AgentName, sessionId: string, options?: HandoffOptions): Promise<Handoff>
  resolveUnifiedId(agent: AgentName, sessionId: string): string
  resolveNativeId(unifiedId: string): { agent: AgentName; sessionId: string } | null
  /** What was skipped by the last call that read stores. */
  readonly warnings: readonly SessionWarning[]
  /** Lets go of the index. A later call opens it again. */
  close(): void
  /** `using sessions = …`: the same as `close`. */
  [Symbol.dispose](): void
}
