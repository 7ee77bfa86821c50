import type { Effect } from '../../../contract/dialogue.ts'
import type { QuotaWindow } from '../../../contract/quota.ts'
import { NO_EFFECTS } from '../../../core/effects.ts'
import { asNumber, asRecord, asString, isRecord, type JsonRecord } from '../../../core/json.ts'
import type { DialogueState } from './state.ts'

/** Sent for subscriptions only, with every reply: the state of the plan's windows. */
export function rateLimitEvent(state: DialogueState, record: JsonRecord): Effect[] {
  const info = record.rate_limit_info
  if (!isRecord(info)) return NO_EFFECTS
  const quota = windowsOf(info)
  const effects: Effect[] = quota.length > 0 ? [{ quota }] : []
  if (info.status === 'allowed') return effects
  const resetAt = timeOf(info.resetsAt) ?? undefined
  if (info.status === 'rejected' && info.isUsingOverage !== true) state.quotaResetAt = resetAt ?? 0
  return [...effects, { emit: { type: 'rate_limited', resetAt, window: asString(info.rateLimitType) } }]
}

/** All windows where they are reported, else the one that the event is about. */
function windowsOf(info: JsonRecord): QuotaWindow[] {
  const named = asRecord(info.unifiedWindows) ?? { [asString(info.rateLimitType) ?? '']: info }
  return Object.entries(named).flatMap(([windowType, window]): QuotaWindow[] => {
    if (windowType === '' || !isRecord(window)) return []
    const used = asNumber(window.utilization)
    return [
      {
        windowType,
        usedPercentage: used === undefined ? null : Math.round(used * 100),
        resetsAt: timeOf(window.resetsAt),
        isExhausted: window.status === 'rejected' && info.isUsingOverage !== true,
      },
    ]
  })
}

function timeOf(seconds: unknown): number | null {
  const time = asNumber(seconds)
  return time === undefined ? null : time * 1000
}
