import { asRecord, asString, isRecord, type JsonRecord, parseRecord, textOf } from '../../core/json.ts'
import type { UsageCounts } from '../../core/usage.ts'
import { netCounts } from '../../core/usage.ts'
import type { TurnRecord } from '../families/acp/profile.ts'

/** Its counts distinguish the parts of the input. */
export function readCounts({ inputOther, output, inputCacheRead, inputCacheCreation }: JsonRecord): UsageCounts {
  return netCounts({ input: inputOther, output, cacheRead: inputCacheRead, cacheCreation: inputCacheCreation })
}

/** What the model has said since its last tool call. A request that failed is a step that ended with an error. */
function answerOf(records: readonly JsonRecord[]): string {
  const events = records.flatMap(({ type, event }) => (type === 'context.append_loop_event' ? [asRecord(event)] : []))
  return events
    .slice(events.findLastIndex((event) => event?.type === 'tool.call' || event?.finishReason === 'error') + 1)
    .map((event) => asRecord(event?.part))
    .map((part) => (part?.type === 'text' ? textOf(part.text) : ''))
    .join('')
}

/**
 * By ACP the CLI (2.1.0) reports neither usage nor that a response broke off and was asked for again, and calls a turn
 * that failed for any reason but credentials a success without a word. Its session file holds all of it.
 */
export const turnRecord: TurnRecord = {
  file: (sessionId) => ({
    type: 'read_own_file',
    variable: 'KIMI_CODE_HOME',
    home: '.kimi-code',
    path: `sessions/*/${sessionId}/agents/main/wire.jsonl`,
  }),
  read(text) {
    const lines = text.split('\n')
    const start = lines.findLastIndex((line) => line.startsWith('{"type":"turn.prompt"'))
    const records = lines.slice(Math.max(0, start)).map(parseRecord).filter(isRecord)
    const ended = records.find(({ type }) => type === 'turn.ended')
    if (start === -1 || !ended) return null
    const error = asRecord(ended.error)
    const [code, message] = [asString(error?.code), asString(error?.message)]
    return {
      turn: asString(records[0]?.promptId) ?? String(start),
      usage: records
        .filter(({ type }) => type === 'usage.record')
        .map(({ usage }) => ({ counts: readCounts(asRecord(usage) ?? {}) })),
      answer: answerOf(records),
      failure: ended.reason === 'failed' ? `${code ?? 'internal'}: ${message ?? 'The turn failed.'}` : undefined,
    }
  },
}
