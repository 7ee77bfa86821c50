import type { UsageRow } from '../../contract/session-store.ts'
import type { TokenUsage } from '../../contract/usage.ts'
import { asRecord, asString, asTime, type JsonRecord, textOf } from '../../core/json.ts'
import { usageRow } from '../../core/session-log.ts'
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

/** Of a request in the conversation itself: its answer is a line of its own. */
const OWN_PROMPT = /########\d+$/

/** What a sub-agent or another helper has asked the model: reported beside the conversation only. */
export function helperRequest(record: JsonRecord): UsageRow | null {
  const event = asRecord(asRecord(record.systemPayload)?.uiEvent)
  const [id, prompt, at] = [asString(event?.response_id), asString(event?.prompt_id), asTime(record.timestamp)]
  if (event?.['event.name'] !== 'qwen-code.api_response' || !id || !prompt || !at) return null
  if (OWN_PROMPT.test(prompt)) return null
  const { input_token_count: input, output_token_count: output } = event
  const { thoughts_token_count: thinking, cached_content_token_count: cacheRead } = event
  return usageRow(id, at, asString(event.model), withTotal(grossCounts({ input, output, thinking, cacheRead })))
}
