import type { Effect } from '../../contract/dialogue.ts'
import type { LogFile } from '../../contract/spawn.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { asNumber, asString, parseRecord } from '../../core/json.ts'
import { retrySign } from '../kit/retry-log.ts'

/** By ACP the CLI (2.1.0) says nothing of its retries, which take minutes. Its session file does, as they begin. */
export const LOG: LogFile = {
  path: '~/.kimi-code/sessions/*/{session}/agents/main/wire.jsonl',
  lines: '^\\{"type":"turn\\.step\\.retrying"',
}

export function logLine(line: string): Effect[] {
  const record = parseRecord(line)
  if (record?.type !== 'turn.step.retrying') return NO_EFFECTS
  const message = asString(record.errorMessage) ?? ''
  const status = asNumber(record.statusCode)
  const isNamed = status === undefined || message.startsWith(`${status} `)
  return retrySign({
    attempt: asNumber(record.failedAttempt) ?? 1,
    maxAttempts: (asNumber(record.maxAttempts) ?? 1) - 1,
    reason: isNamed ? message : `${status} ${message}`,
    delayMs: Math.round(asNumber(record.delayMs) ?? 0),
  })
}
