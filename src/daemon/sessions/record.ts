import type { Activity } from '../../contract/activity.ts'
import type {
  ManagedSession,
  SessionMode,
  SessionUsage,
  Waiting,
  Workspace,
} from '../../contract/api/managed-session.ts'
import type { GitWork } from '../../contract/git-work.ts'
import type { SessionMetadata } from '../../contract/hooks.ts'
import type { LaunchOptions, LaunchSecrets, TerminalSize } from '../../contract/launch.ts'
import type { Outcome } from '../../contract/outcome.ts'
import type { QuotaStatus } from '../../contract/quota.ts'
import type { PendingInteraction } from '../../contract/run-handle.ts'
import type { CostRecord } from '../../contract/usage.ts'
import { addFact, type Evidence, judge, noEvidence } from '../../core/evidence.ts'
import { NO_GIT_WORK } from '../../core/git-work.ts'
import type { OpenCommands } from '../../core/open-commands.ts'
import type { Account } from './account.ts'
import { attentionOf, kindOfOutcome, limitText, restText } from './attention.ts'
import type { SpentByModel } from './transcript-usage.ts'
import type { Turn, TurnEnd } from './turn.ts'

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
  /** Whose limits it uses. */
  account?: Account
  /** What it has done with git, and the commands of it that run. */
  git?: GitWork
  openCommands?: OpenCommands
  /** How much of its plan is used, as the agent last reported. */
  quota?: QuotaStatus
  /** The same in detail, while it waits in the queue. */
  waiting?: Waiting | null
  /** The agent takes further turns, so that each has an end of its own. Else its process ends with its only turn. */
  staysOpen?: boolean
  /** The newest turn of the newest launch. */
  turn?: Turn | null
  /** Ends of turns that nobody was notified of yet. */
  unnotified?: TurnEnd[]
  /** When somebody last interrupted the agent through us. */
  interruptedAt?: number
  evidence: Evidence
  pending: PendingInteraction[]
  metadata: SessionMetadata
  model: string | null
  outcome: Outcome | null
  /** What went wrong in the current turn. */
  lastError: string | null
  /** Set when we end the agent ourselves. */
  killedBecause: string | null
  /** When a limit will be over, as the agent last reported. */
  limitEndsAt: number | null
  /** A limit has stopped the current turn. `needs`: what a person has to do, because it does not continue by itself. */
  limit: { until: number; why: string; needs?: string } | null
  /** How many limits have stopped it one after the other, without a turn that went well in between. */
  limitsInARow?: number
  /** When a person was last notified of one of them. */
  limitToldAt?: number
  /** Options of the newest launch that are not whole on disk, because they hold a secret. */
  hiddenOptions?: string[]
  /** What is wrong with this record: what it was started with is not known any more. */
  damage?: string
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
  'id' | 'name' | 'agent' | 'mode' | 'workspace' | 'options' | 'terminal' | 'secretOptions' | 'createdAt' | 'staysOpen'
>

const SUMMARY_LENGTH = 2000

export const ESTIMATED = { isEstimated: true } as const

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
    waiting: null,
    turn: null,
    unnotified: [],
    interruptedAt: undefined,
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

/** We end it, and with it the turn that is under way: some agents report that as the end of any other turn. */
export function killed(record: SessionRecord, killedBecause: string): SessionRecord {
  const isAtWork = record.turn?.endedAt === null
  return { ...record, killedBecause, interruptedAt: isAtWork ? Date.now() : record.interruptedAt }
}

/** What clients see of it. */
export function viewOf(record: SessionRecord): ManagedSession {
  const { id, name, agent, mode, model, workspace, launch, isLive, pending, outcome, metadata } = record
  const { createdAt, updatedAt } = record
  const lastError = record.lastError ?? failureOfTerminal(record)
  const limit = limitOf(record)
  const view = {
    ...{ id, name, agent, mode, workspace, launch, isLive, pending, outcome, createdAt, updatedAt, lastError, limit },
    model: model ?? metadata.model ?? null,
    activity: activityOf(record, limit),
    turn: turnOf(record),
    git: record.git ?? NO_GIT_WORK,
    waiting: record.waitsFor === null ? null : (record.waiting ?? null),
    agentSessionId: metadata.agentSessionId ?? null,
    transcriptPath: metadata.transcriptPath ?? null,
    title: metadata.ownTitle ?? metadata.title ?? null,
    summaryIsFallback: metadata.ownTitle === undefined,
    summary: metadata.summary?.slice(0, SUMMARY_LENGTH) ?? null,
    usage: withHint(addSessionUsage(record.earlier, record.current), metadata.usage),
  }
  return { ...view, attention: attentionOf(view) }
}

/** In a terminal, only the end of a turn says what went wrong. */
function failureOfTerminal({ mode, turn }: SessionRecord): string | null {
  const outcome = mode === 'terminal' ? turn?.outcome : null
  const kind = outcome ? kindOfOutcome(outcome) : null
  return kind === 'failed' || kind === 'limited' ? (outcome?.evidence ?? null) : null
}

function turnOf({ turn }: SessionRecord): ManagedSession['turn'] {
  if (!turn) return null
  const { startedAt, endedAt, outcome } = turn
  return { startedAt, endedAt, outcome }
}

/** What the agent ended with. One that was killed at a limit had ended its turn there. */
function lastOutcome({ outcome, turn }: SessionRecord): Outcome | null {
  const isKilled = outcome?.kind === 'cancelled'
  return isKilled ? (turn?.outcome ?? outcome) : (outcome ?? turn?.outcome ?? null)
}

/** A limit may be reached without a word on when it ends. */
function limitOf(record: SessionRecord): ManagedSession['limit'] {
  if (record.limit) return record.limit
  const last = lastOutcome(record)
  if (last?.kind === 'quota_exhausted') return { until: last.resetAt ?? null, why: last.evidence }
  return last?.kind === 'rate_limited' ? { until: null, why: last.evidence } : null
}

/** What a hook hints at replaces counts, as long as neither the stream nor a transcript has reported any. */
function withHint(counted: SessionUsage, hint: SessionMetadata['usage']): SessionUsage {
  const isCounted = counted.inputTokens + counted.outputTokens > 0
  if (isCounted || hint === undefined) return counted
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheCreationTokens = 0 } = hint
  return { ...counted, inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens }
}

function activityOf(record: SessionRecord, limit: ManagedSession['limit']): ManagedSession['activity'] {
  const { evidence, isLive, waitsFor, waiting, launch, outcome, turn, updatedAt } = record
  const own = { launch, source: null, at: updatedAt, since: updatedAt }
  if (waitsFor !== null) {
    const state = !waiting ? 'spawning' : waiting.for === 'limit' ? 'parked' : 'queued'
    return { ...own, state, why: waitsFor }
  }
  const judged = isLive ? judgeLive(evidence) : judge(evidence)
  if (isLive) {
    const rests = judged.state === 'idle' && turn?.outcome ? turn.outcome : null
    return rests === null || rests.kind === 'completed' ? judged : { ...judged, why: restText(rests, limit) }
  }
  // Nothing that an agent said last is true of one that is gone.
  const end = judged.state === 'exited' ? judged : own
  const why = outcome?.evidence ?? (judged.state === 'exited' ? judged.why : 'it has ended')
  if (limit === null || outcome?.kind === 'completed') return { ...end, state: 'exited', why }
  const last = lastOutcome(record)
  const text = limitText(last !== null && kindOfOutcome(last) === 'limited' ? last : null, limit)
  if (outcome?.kind === 'cancelled') return { ...end, state: 'exited', why: `${why}; ${text}` }
  return { ...end, state: 'exited', why: limit.until === null ? why : text }
}

/**
 * The stream or the process reports its end before anybody knows how it ended, and nobody shall see one without the
 * other: until then it is as it was, or unknown when its runner is gone, too.
 */
function judgeLive(evidence: Evidence): Activity {
  const { ended } = evidence
  if (ended === null) return judge(evidence)
  if (ended.source !== 'process') return judge({ ...evidence, ended: null })
  const why = `${ended.detail ?? 'its process is gone'}; how it ended is not known yet`
  return { ...judge(evidence), state: 'unknown', why }
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
    ...((a.isEstimated ?? b.isEstimated) && ESTIMATED),
  }
}

/** The same tokens, with what they have cost by now. */
export function withCost({ isEstimated: _before, ...usage }: SessionUsage, cost: CostRecord): SessionUsage {
  const { totalUsd: costUsd, source } = cost
  return { ...usage, costUsd, unpricedTokens: 0, ...(source === 'price-table' && ESTIMATED) }
}
