import type { SessionUsage } from '../../contract/api/managed-session.ts'
import type { ModelPrice } from '../../contract/run-options.ts'
import type { CostFigures, SessionManager } from '../../contract/session-manager.ts'
import { priceAt } from '../../core/prices.ts'
import { addSessionUsage, ESTIMATED, NO_USAGE, type SessionRecord } from './record.ts'

/** What a conversation has spent, by model. */
export type SpentByModel = Readonly<Record<string, SessionUsage>>

/** As `amux cost` counts it, since the session began: what was said before that in the same conversation is not its own. */
export async function spentIn(
  all: SessionManager,
  { agent, createdAt, options: { price } }: SessionRecord,
  sessionId: string,
): Promise<SpentByModel> {
  const { breakdowns = {} } = await all.totalCost({ agent, sessionId, since: createdAt, groupBy: 'model' })
  return Object.fromEntries(Object.entries(breakdowns).map(([model, figures]) => [model, usageOf(figures, price)]))
}

function usageOf(figures: CostFigures, price: ModelPrice | undefined): SessionUsage {
  const { inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens, unpricedTokens, totalUsd } = figures
  const tokens = { inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens }
  // The caller's own price, for a model that nobody else knows the price of.
  if (price && unpricedTokens > 0) {
    return { ...NO_USAGE, ...tokens, costUsd: priceAt(price, tokens), unpricedTokens: 0, ...ESTIMATED }
  }
  const isReported = totalUsd === null || figures.source === 'reported'
  return { ...NO_USAGE, ...tokens, costUsd: totalUsd, unpricedTokens, ...(isReported ? {} : ESTIMATED) }
}

/** What has come to it, by model; empty when nothing has. */
export function spentSince(before: SpentByModel, now: SpentByModel): [model: string, more: SessionUsage][] {
  return Object.entries(now)
    .map(([model, usage]): [string, SessionUsage] => [model, less(usage, before[model] ?? NO_USAGE)])
    .filter(([, { inputTokens, outputTokens, costUsd }]) => inputTokens !== 0 || outputTokens !== 0 || costUsd)
}

function less(usage: SessionUsage, before: SessionUsage): SessionUsage {
  return {
    inputTokens: usage.inputTokens - before.inputTokens,
    outputTokens: usage.outputTokens - before.outputTokens,
    cacheReadTokens: usage.cacheReadTokens - before.cacheReadTokens,
    cacheCreationTokens: usage.cacheCreationTokens - before.cacheCreationTokens,
    turns: usage.turns - before.turns,
    costUsd: usage.costUsd === null ? null : usage.costUsd - (before.costUsd ?? 0),
    unpricedTokens: usage.unpricedTokens - before.unpricedTokens,
    ...(usage.isEstimated && ESTIMATED),
  }
}

/** The session with what its transcript says now, and what has come to it. Null when nothing has. */
export function countSpent(
  session: SessionRecord,
  agentSessionId: string,
  byModel: SpentByModel,
): { session: SessionRecord; more: [model: string, more: SessionUsage][] } | null {
  const known = session.spent?.agentSessionId === agentSessionId ? session.spent.byModel : {}
  const more = spentSince(known, byModel)
  if (more.length === 0) return null
  const current = more.reduce((sum, [, usage]) => addSessionUsage(sum, usage), session.current)
  const model = session.model ?? mainModel(byModel)
  return { session: { ...session, model, current, spent: { agentSessionId, byModel } }, more }
}

/** The one that most of it went to. */
function mainModel(byModel: SpentByModel): string | null {
  const tokens = ({ inputTokens, outputTokens }: SessionUsage) => inputTokens + outputTokens
  const [most] = Object.entries(byModel).sort(([, a], [, b]) => tokens(b) - tokens(a))
  return most?.[0] ?? null
}
