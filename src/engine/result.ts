import type { AgentEvent } from '../contract/events.ts'
import type { ModelCapabilities } from '../contract/models.ts'
import type { AgentName } from '../contract/names.ts'
import type { QuotaStatus } from '../contract/quota.ts'
import type { RunError, RunResult } from '../contract/run-handle.ts'
import { costOf, pricedByModel } from './cost-estimate.ts'
import type { Verdict } from './outcome.ts'
import type { RunTotals } from './run-totals.ts'

export interface ResultParts {
  runId: string
  agent: AgentName
  totals: RunTotals
  verdict: Verdict
  models: readonly ModelCapabilities[]
  /** As the agent reported it, or as it was asked for. */
  model: string | null
  structuredOutput: unknown
  quota: QuotaStatus | undefined
  unrecognized: Record<string, number>
  durationMs: number
  exit: { exitCode: number | null; signal: string | null; stderr: string }
  events: AgentEvent[]
  tags: string[]
  /** Why the caller aborted the run. */
  cause?: unknown
}

export function buildResult(parts: ResultParts): RunResult {
  const { totals, verdict, exit } = parts
  const model = totals.mainModel() ?? parts.model
  return {
    runId: parts.runId,
    agent: parts.agent,
    model,
    sessionId: totals.sessionId,
    text: totals.text,
    ...(parts.structuredOutput === undefined ? {} : { structuredOutput: parts.structuredOutput }),
    cost: costOf(totals, parts.models, model),
    durationMs: parts.durationMs,
    exitCode: exit.exitCode,
    signal: exit.signal,
    exitReason: verdict.exitReason,
    outcome: verdict.outcome,
    tokenUsage: totals.usage,
    usageByModel: pricedByModel(totals, parts.models),
    ...(totals.serviceTier === undefined ? {} : { serviceTier: totals.serviceTier }),
    ...(parts.quota === undefined ? {} : { quota: parts.quota }),
    turnCount: totals.turnCount,
    error: verdict.error ? withCause({ ...verdict.error, stderr: exit.stderr, recoverable: false }, parts.cause) : null,
    events: parts.events,
    tags: parts.tags,
    unrecognized: parts.unrecognized,
  }
}

/** Like the cause of an `Error`: there for who asks, not in JSON, which could not hold it. */
function withCause(error: RunError, cause: unknown): RunError {
  return cause === undefined ? error : Object.defineProperty(error, 'cause', { value: cause })
}
