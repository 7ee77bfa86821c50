import type { Inquiry } from '../../contract/inquiry.ts'
import type { QuotaWindow } from '../../contract/quota.ts'
import { asNumber, asRecord, asTime, isRecord } from '../../core/json.ts'
import { controlInquiry } from '../families/claude-stream/inquiry.ts'
import { INQUIRY_ARGS } from './inquiry.ts'

/** Reported for a subscription only. */
export const quota: Inquiry<QuotaWindow[]> = controlInquiry(INQUIRY_ARGS, 'get_usage', (usage) =>
  Object.entries(asRecord(usage.rate_limits) ?? {}).flatMap(([windowType, window]): QuotaWindow[] => {
    const used = isRecord(window) ? asNumber(window.utilization) : undefined
    if (!isRecord(window) || used === undefined) return []
    return [{ windowType, usedPercentage: used, resetsAt: asTime(window.resets_at) ?? null, isExhausted: used >= 100 }]
  }),
)
