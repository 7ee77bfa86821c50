import type { TokenUsage } from '../../contract/usage.ts'
import { asNumber, type JsonRecord, textOf } from '../../core/json.ts'
import { addUsage, emptyUsage } from '../../core/usage.ts'

/** What a person said. Notes of the CLI to the model are user records, too, but not of a real user. */
export function userText(record: JsonRecord, parts: readonly JsonRecord[]): string {
  const isReal = record.provenance === undefined || record.provenance === 'real_user'
  return isReal ? parts.map((part) => textOf(part.text)).join('\n') : ''
}

export function readUsage(usage: JsonRecord): TokenUsage {
  return addUsage(emptyUsage(), {
    inputTokens: asNumber(usage.promptTokenCount) ?? 0,
    outputTokens: asNumber(usage.candidatesTokenCount) ?? 0,
    thinkingTokens: asNumber(usage.thoughtsTokenCount),
    cacheReadTokens: asNumber(usage.cachedContentTokenCount),
  })
}
