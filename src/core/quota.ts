import type { AgentName } from '../contract/names.ts'
import type { QuotaStatus, QuotaWindow } from '../contract/quota.ts'

export function quotaStatus(
  agent: AgentName,
  windows: readonly QuotaWindow[],
  measuredAt: number,
  source: QuotaStatus['source'],
): QuotaStatus {
  const exhausted = windows.filter(({ isExhausted }) => isExhausted)
  const resets = (exhausted.length > 0 ? exhausted : windows).flatMap(({ resetsAt }) => resetsAt ?? [])
  return {
    agent,
    windows: [...windows],
    isRateLimited: exhausted.length > 0,
    earliestResetAt: resets.length > 0 ? Math.min(...resets) : null,
    measuredAt,
    source,
  }
}
