import type { ManagedSession, SessionMode, SessionUsage, Workspace } from '../../contract/api/managed-session.ts'
import type { SessionMetadata } from '../../contract/hooks.ts'
import type { LaunchOptions, LaunchSecrets, TerminalSize } from '../../contract/launch.ts'
import type { Outcome } from '../../contract/outcome.ts'
import type { PendingInteraction } from '../../contract/run-handle.ts'
import { addFact, type Evidence, judge, noEvidence } from '../../core/evidence.ts'
import type { SpentByModel } from './transcript-usage.ts'

/** A managed session as the database keeps it. Only data; secrets are never in it. */
export interface SessionRecord {
  id: string
  name: string | null
  agent: string
  mode: SessionMode
  workspace: Workspace
  /** What every launch of it starts with, but the prompt. */
  options: Omit<LaunchOptions, 'prompt'>
  terminal: TerminalSize | null
  /** Options that were given and are never written down: a new daemon has to be given them again. */
  secretOptions: (keyof LaunchSecrets)[]
  createdAt: number
  updatedAt: number
  launch: number
  isLive: boolean
  /** Why it does not run yet. */
  waitsFor: string | null
  evidence: Evidence
  pending: PendingInteraction[]
  metadata: SessionMetadata
  model: string | null
  outcome: Outcome | null
  /** What went wrong in the current turn. */
  lastError: string | null
  /** Set when we end the agent ourselves. */
  killedBecause: string | null
  /** When a limit will be over, as the agent last told. */
  limitEndsAt: number | null
  /** A limit has stopped the current turn. */
  limit: { until: number; why: string } | null
  /** Of all launches before the newest one. */
  earlier: SessionUsage
  /** Of the newest launch. */
  current: SessionUsage
  /** Of a terminal: the moment up to which the turns in its transcript have been counted. */
  countedTo?: number
  /** Of a terminal: what its transcript has said of tokens and costs so far, in all launches. */
  spent?: { agentSessionId: string; byModel: SpentByModel }
}

export type NewSession = Pick<
  SessionRecord,
  'id' | 'name' | 'agent' | 'mode' | 'workspace' | 'options' | 'terminal' | 'secretOptions' | 'createdAt'
>

const SUMMARY_LENGTH = 2000

export const NO_USAGE: SessionUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheCreationTokens: 0,
  turns: 0,
  costUsd: null,
  unpricedTokens: 0,
}

export function newSession(given: NewSession): SessionRecord {
  return {
    ...given,
    updatedAt: given.createdAt,
    launch: 0,
    isLive: false,
    waitsFor: null,
    evidence: noEvidence(0),
    pending: [],
    metadata: {},
    model: given.options.model ?? null,
    outcome: null,
    lastError: null,
    killedBecause: null,
    limitEndsAt: null,
    limit: null,
    earlier: NO_USAGE,
    current: NO_USAGE,
  }
}

/** The next launch begins: what was known of the one before is history. */
export function beginLaunch(record: SessionRecord, launch: number, at: number): SessionRecord {
  return {
    ...record,
    launch,
    isLive: true,
    updatedAt: at,
    waitsFor: null,
    evidence: addFact(noEvidence(launch), { state: 'spawning', source: 'process', at, launch }),
    pending: [],
    outcome: null,
    lastError: null,
    killedBecause: null,
    limitEndsAt: null,
    limit: null,
    earlier: addSessionUsage(record.earlier, record.current),
    current: NO_USAGE,
  }
}

/** What clients see of it. */
export function viewOf(record: SessionRecord): ManagedSession {
  const { id, name, agent, mode, model, workspace, launch, isLive, pending, outcome, metadata } = record
  const { createdAt, updatedAt } = record
  return {
    ...{ id, name, agent, mode, workspace, launch, isLive, pending, outcome, createdAt, updatedAt },
    model: model ?? metadata.model ?? null,
    activity: activityOf(record),
    agentSessionId: metadata.agentSessionId ?? null,
    transcriptPath: metadata.transcriptPath ?? null,
    title: metadata.title ?? null,
    summary: metadata.summary?.slice(0, SUMMARY_LENGTH) ?? null,
    usage: withHint(addSessionUsage(record.earlier, record.current), metadata.usage),
  }
}

/** What a hook hints at stands in for counts, as long as neither the stream nor a transcript has told any. */
function withHint(counted: SessionUsage, hint: SessionMetadata['usage']): SessionUsage {
  const isCounted = counted.inputTokens + counted.outputTokens > 0
  if (isCounted || hint === undefined) return counted
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheCreationTokens = 0 } = hint
  return { ...counted, inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens }
}

function activityOf({
  evidence,
  isLive,
  waitsFor,
  launch,
  outcome,
  updatedAt,
}: SessionRecord): ManagedSession['activity'] {
  const own = { launch, source: null, at: updatedAt, since: updatedAt }
  if (waitsFor !== null) return { ...own, state: 'spawning', why: waitsFor }
  const judged = judge(evidence)
  if (isLive) return judged
  // Nothing that an agent said last is true of one that is gone.
  const end = judged.state === 'exited' ? judged : own
  return {
    ...end,
    state: 'exited',
    why: outcome?.evidence ?? (judged.state === 'exited' ? judged.why : 'it has ended'),
  }
}

export function addSessionUsage(a: SessionUsage, b: SessionUsage): SessionUsage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheCreationTokens: a.cacheCreationTokens + b.cacheCreationTokens,
    turns: a.turns + b.turns,
    costUsd: a.costUsd === null && b.costUsd === null ? null : (a.costUsd ?? 0) + (b.costUsd ?? 0),
    unpricedTokens: a.unpricedTokens + b.unpricedTokens,
  }
}
