import type { AgentEvent } from '../contract/events.ts'
import type { ModelCapabilities } from '../contract/models.ts'
import type { AgentName } from '../contract/names.ts'
import type { RunResult } from '../contract/run-handle.ts'
import type { CostRecord } from '../contract/usage.ts'
import { estimateCost } from '../core/prices.ts'
import type { Verdict } from './outcome.ts'
import type { RunTotals } from './run-totals.ts'

export interface ResultParts {
  runId: string
  agent: AgentName
  totals: RunTotals
  verdict: Verdict
  models: readonly ModelCapabilities[]
  /** As the agent told it, or as it was asked for. */
  model: string | null
  structuredOutput: unknown
  unrecognized: Record<string, number>
  durationMs: number
  exit: { exitCode: number | null; signal: string | null; stderr: string }
  events: AgentEvent[]
  tags: string[]
}

/** What the agent says it cost; else the price table; else null. */
export function costOf(
  totals: RunTotals,
  models: readonly ModelCapabilities[],
  model: string | null,
): CostRecord | null {
  if (totals.cost || !totals.usage) return totals.cost
  const priced = models.find((one) => one.modelId === model || one.modelAlias === model)
  return estimateCost(priced, totals.usage)
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
    usageByModel: totals.usageByModel,
    turnCount: totals.turnCount,
    error: verdict.error ? { ...verdict.error, stderr: exit.stderr, recoverable: false } : null,
    events: parts.events,
    tags: parts.tags,
    unrecognized: parts.unrecognized,
  }
}
