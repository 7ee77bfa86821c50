import type { Fact, Sign } from '../../contract/activity.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import type { AgentEvent, EventOfType } from '../../contract/events.ts'
import type { HookReading, SessionMetadata } from '../../contract/hooks.ts'
import type { LaunchRecord } from '../../contract/launch.ts'
import type { Outcome } from '../../contract/outcome.ts'
import type { PendingInteraction } from '../../contract/run-handle.ts'
import { addFact } from '../../core/evidence.ts'
import { afterCommand, NO_GIT_WORK } from '../../core/git-work.ts'
import { followCommands } from '../../core/open-commands.ts'
import { pendingInteraction } from '../../core/pending-interaction.ts'
import { mergeMetadata, metadataOf } from '../../core/session-metadata.ts'
import { sessionTitle } from '../../core/session-title.ts'
import { redact } from '../../secrets/redact.ts'
import { factOf } from '../event-facts.ts'
import { kindOfOutcome } from './attention.ts'
import { atLimit, NO_LIMITS } from './limit.ts'
import { limitEnd } from './outcome.ts'
import { type SessionRecord, withCost } from './record.ts'
import { overBudget } from './session-budget.ts'
import { followTerminalTurn } from './terminal-turn.ts'
import { beginTurn, COMPLETED, endTurn } from './turn.ts'

/** Streams are mostly these. They say nothing but that the agent is at work, so only the last of many counts. */
const DELTAS: ReadonlySet<AgentEvent['type']> = new Set([
  ...(['text_delta', 'thinking_delta', 'tool_input_delta', 'shell_stdout_delta', 'shell_stderr_delta'] as const),
])

const LIMITS: ReadonlySet<ErrorCode> = new Set(['RATE_LIMITED', 'QUOTA_EXHAUSTED'])

/** The session after these records of its newest launch. Pure: the same records give the same session. */
export function reduceRecords(record: SessionRecord, records: readonly LaunchRecord[]): SessionRecord {
  const next = { ...record }
  let delta: AgentEvent | null = null
  for (const one of records) {
    if ('event' in one && DELTAS.has(one.event.type)) {
      delta = one.event
      continue
    }
    if (delta) noteFact(next, factOf(delta, next.launch))
    delta = null
    if ('quota' in one) next.quota = one.quota
    else if ('fact' in one) noteFact(next, { ...one.fact, launch: next.launch })
    else noteEvent(next, one.event)
  }
  if (delta) noteFact(next, factOf(delta, next.launch))
  const last = records.at(-1)
  if (last) next.updatedAt = Math.max(next.updatedAt, timeOf(last))
  return next
}

/** What the agent does with git. Changes the given session. */
export function noteCommands(
  session: SessionRecord,
  event: AgentEvent,
  withoutSecrets: (text: string) => string,
): void {
  const { open, ran } = followCommands(session.openCommands ?? {}, event)
  session.openCommands = open
  if (ran) session.git = afterCommand(session.git ?? NO_GIT_WORK, { ...ran, output: withoutSecrets(ran.output) })
}

function timeOf(record: LaunchRecord): number {
  if ('event' in record) return record.event.timestamp
  return 'fact' in record ? record.fact.at : record.quota.measuredAt
}

/** Changes the given session. */
export function noteFact(session: SessionRecord, fact: Fact | null): void {
  if (!fact) return
  session.evidence = addFact(session.evidence, fact)
  if (session.mode === 'terminal') followTerminalTurn(session, fact)
}

function noteEvent(session: SessionRecord, event: AgentEvent): void {
  noteFact(session, factOf(event, session.launch))
  session.metadata = afterEvent(session.metadata, metadataOf(event))
  session.pending = pendingAfter(session.pending, event)
  noteCommands(session, event, session.mode === 'headless' ? (text) => text : redact)
  switch (event.type) {
    case 'turn_start':
      session.lastError = null
      session.limit = null
      session.turn = beginTurn(event.timestamp)
      break
    case 'turn_end':
      session.current = { ...session.current, turns: session.current.turns + 1 }
      if (staysOpen(session)) noteTurnEnd(session, event)
      break
    case 'attempt_withdrawn':
      noteWithdrawal(session, event)
      break
    case 'token_usage':
      noteTokens(session, event)
      break
    case 'cost':
      session.current = withCost(session.current, event.cost)
      break
    case 'rate_limited':
      noteLimitEnd(session, event.resetAt, event)
      break
    case 'rate_limit_error':
      noteLimitEnd(session, undefined, event)
      session.lastError = event.message
      break
    case 'error':
      if (event.code !== 'PARSE_ERROR') session.lastError = event.message
      if (LIMITS.has(event.code) && session.limitEndsAt !== null) {
        Object.assign(session, atLimit(session, session.limitEndsAt, event.message, event.timestamp))
      }
      break
    case 'auth_error':
      session.lastError = event.message
      break
    case 'context_exceeded':
      session.lastError = 'The conversation no longer fits the model'
  }
}

/** Sessions of earlier versions do not know it. */
function staysOpen({ staysOpen, options }: SessionRecord): boolean {
  return staysOpen ?? options.keepOpen === true
}

function noteTurnEnd(session: SessionRecord, { timestamp, outcome: reported }: EventOfType<'turn_end'>): void {
  const { summary = null } = session.metadata
  const outcome = whyEnded(session, reported ?? COMPLETED)
  const until = limitEnd(outcome, timestamp)
  if (session.limit === null && until !== null)
    Object.assign(session, atLimit(session, until, outcome.evidence ?? 'a limit was reached', timestamp))
  // It has got over a limit that it met on its way.
  if (reported && kindOfOutcome(reported) !== 'limited') Object.assign(session, { limit: null, ...NO_LIMITS })
  session.turn = { ...endTurn(session.turn ?? null, timestamp, outcome), isNotified: true }
  session.unnotified = [...(session.unnotified ?? []), { outcome, endedAt: timestamp, summary }]
}

/** The agent knows only that it was interrupted; we know why. */
function whyEnded(session: SessionRecord, outcome: Outcome): Outcome {
  const { killedBecause } = session
  if (killedBecause === null || outcome.kind !== 'cancelled') return outcome
  return overBudget(session) ?? { kind: 'cancelled', evidence: killedBecause }
}

/** What was withdrawn is neither the last answer nor a turn. What it was before, nobody has kept. */
function noteWithdrawal(session: SessionRecord, { scope, text }: EventOfType<'attempt_withdrawn'>): void {
  const { summary, ...rest } = session.metadata
  if (summary !== undefined && text.includes(summary)) session.metadata = rest
  if (scope === 'run') session.current = { ...session.current, turns: 0 }
}

/** Another conversation has another transcript, and another title. */
function afterEvent(known: SessionMetadata, reported: SessionMetadata): SessionMetadata {
  const isOther = reported.agentSessionId !== undefined && reported.agentSessionId !== known.agentSessionId
  const { transcriptPath: _of, ownTitle: _its, ...rest } = known
  return mergeMetadata(isOther ? rest : known, reported)
}

function noteLimitEnd(
  session: SessionRecord,
  resetAt: number | undefined,
  { retryAfterMs, timestamp }: { retryAfterMs?: number; timestamp: number },
): void {
  const endsAt = resetAt ?? (retryAfterMs === undefined ? undefined : timestamp + retryAfterMs)
  if (endsAt !== undefined) session.limitEndsAt = endsAt
}

/** The session after a hook of its newest launch. Text in it comes from outside and may hold secrets. */
export function reduceHook(
  record: SessionRecord,
  { evidence, metadata, ran }: HookReading,
  at: number,
  withoutSecrets: (text: string) => string = redact,
): SessionRecord {
  const { title, summary, ...rest } = metadata ?? {}
  const reported = {
    ...rest,
    title: title && withoutSecrets(sessionTitle(title)),
    summary: summary && withoutSecrets(summary),
  }
  const next = { ...record, updatedAt: Math.max(record.updatedAt, at) }
  next.metadata =
    record.mode === 'headless' ? addUnknown(record.metadata, reported) : mergeMetadata(record.metadata, reported)
  if (ran) {
    next.git = afterCommand(record.git ?? NO_GIT_WORK, { ...ran, output: withoutSecrets(ran.output) })
  }
  if (evidence && isNews(record, evidence)) noteFact(next, { ...evidence, source: 'hook', at, launch: record.launch })
  return next
}

/** A headless agent's stream is complete: its hooks only add what that leaves out, and only of the same conversation. */
function addUnknown(known: SessionMetadata, reported: SessionMetadata): SessionMetadata {
  const { agentSessionId } = known
  const isOther = agentSessionId !== undefined && reported.agentSessionId !== agentSessionId
  return isOther ? known : { ...mergeMetadata({}, reported), ...known }
}

/** The stream of a headless agent reports its dialogs, by its own names; no hook opens or closes one. */
function isNews({ mode, evidence: { dialogs } }: SessionRecord, { state }: Sign): boolean {
  return mode === 'terminal' || (state !== 'blocked' && Object.keys(dialogs).length === 0)
}

function noteTokens(session: SessionRecord, event: Extract<AgentEvent, { type: 'token_usage' }>): void {
  const { current } = session
  const isUnpriced = current.costUsd === null
  session.current = {
    ...current,
    inputTokens: current.inputTokens + event.inputTokens,
    outputTokens: current.outputTokens + event.outputTokens,
    cacheReadTokens: current.cacheReadTokens + (event.cacheReadTokens ?? event.cachedTokens ?? 0),
    cacheCreationTokens: current.cacheCreationTokens + (event.cacheCreationTokens ?? 0),
    unpricedTokens: isUnpriced ? current.unpricedTokens + event.inputTokens + event.outputTokens : 0,
  }
  session.model ??= event.model ?? null
}

/** What waits for an answer after this event. */
export function pendingAfter(pending: PendingInteraction[], event: AgentEvent): PendingInteraction[] {
  switch (event.type) {
    case 'approval_request':
    case 'input_required':
      return [...pending.filter(({ id }) => id !== event.interactionId), pendingInteraction(event)]
    case 'approval_granted':
    case 'approval_denied':
      return pending.filter(({ id }) => id !== event.interactionId)
    case 'attempt_withdrawn':
      return event.scope === 'run' ? [] : pending
    // No question outlives its turn.
    case 'turn_start':
    case 'turn_end':
    case 'interrupted':
    case 'session_end':
      return pending.length === 0 ? pending : []
    default:
      return pending
  }
}
