import type { Inquiry } from '../../contract/inquiry.ts'
import type { QuotaWindow } from '../../contract/quota.ts'
import { asNumber, asRecord, asTime, isRecord } from '../../core/json.ts'
import { serverInquiry } from './inquiry.ts'

/** By kind of request: `chat`, `completions`, `premium_interactions`. What is unlimited is not a window. */
export function planWindows(snapshots: unknown): QuotaWindow[] {
  return Object.entries(asRecord(snapshots) ?? {}).flatMap(([windowType, snapshot]): QuotaWindow[] => {
    if (!isRecord(snapshot) || snapshot.isUnlimitedEntitlement === true) return []
    const left = asNumber(snapshot.remainingPercentage)
    return [
      {
        windowType,
        usedPercentage: left === undefined ? null : Math.max(0, 100 - left),
        resetsAt: asTime(snapshot.resetDate) ?? null,
        isExhausted: left !== undefined && left <= 0 && snapshot.usageAllowedWithExhaustedQuota !== true,
      },
    ]
  })
}

/** Refused without a login at GitHub, which is not a plan either. */
export const quota: Inquiry<QuotaWindow[]> = serverInquiry(['account.getQuota'], (result) =>
  planWindows(result?.quotaSnapshots),
)
