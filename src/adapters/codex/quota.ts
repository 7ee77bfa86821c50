import type { Inquiry } from '../../contract/inquiry.ts'
import type { QuotaWindow } from '../../contract/quota.ts'
import { asNumber, asRecord, type JsonRecord } from '../../core/json.ts'
import { serverInquiry } from './inquiry.ts'

/** The windows of a plan; none for a key of one's own. */
export function planWindows(limits: JsonRecord): QuotaWindow[] {
  return ['primary', 'secondary'].flatMap((windowType): QuotaWindow[] => {
    const limit = asRecord(limits[windowType])
    if (!limit) return []
    const used = asNumber(limit.usedPercent)
    const resetsAt = asNumber(limit.resetsAt)
    return [
      {
        windowType,
        usedPercentage: used ?? null,
        resetsAt: resetsAt === undefined ? null : resetsAt * 1000,
        isExhausted: (used ?? 0) >= 100,
      },
    ]
  })
}

/** Refused without a login at ChatGPT, which is not a plan either. */
export const quota: Inquiry<QuotaWindow[]> = serverInquiry('account/rateLimits/read', (result) =>
  planWindows(asRecord(result.rateLimits) ?? {}),
)
