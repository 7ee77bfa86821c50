import type { TokenUsage } from '../../contract/usage.ts'
import { type JsonRecord, textOf } from '../../core/json.ts'
import { grossCounts, withTotal } from '../../core/usage.ts'

/** What a person said. Notes of the CLI to the model are user records, too, but not of a real user. */
export function userText(record: JsonRecord, parts: readonly JsonRecord[]): string {
  const isReal = record.provenance === undefined || record.provenance === 'real_user'
  return isReal ? parts.map((part) => textOf(part.text)).join('\n') : ''
}

export function readUsage(usage: JsonRecord): TokenUsage {
  const { promptTokenCount: input, candidatesTokenCount: output } = usage
  const { thoughtsTokenCount: thinking, cachedContentTokenCount: cacheRead } = usage
  return withTotal(grossCounts({ input, output, thinking, cacheRead }))
}
