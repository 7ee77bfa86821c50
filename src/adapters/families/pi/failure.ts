import { decideFailure } from '../../../core/failure-codes.ts'
import { CUT_ANSWER } from '../../../core/failures.ts'
import { asNumber, asRecord, asString, type JsonRecord, parseRecord } from '../../../core/json.ts'
import type { ReplyFailure } from './state.ts'

const STATUS = /^(?:Error: )?(\d{3})\b:?\s*/

/** The provider's own words: since 1.0 the CLI hands on its whole answer as JSON, and others say them twice. */
function plainMessage(message: string): string {
  const [first = '', second = ''] = message.split('\n')
  if (second.includes('(type=')) return first.replace(/ retry-after-ms=\d+$/, '')
  const body = parseRecord(message.replace(STATUS, ''))
  const inner = asString(body?.message) ?? asString(asRecord(body?.error)?.message)
  return inner === undefined ? message : `${STATUS.exec(message)?.[1] ?? ''} ${inner}`.trim()
}

/** The words of a failure, as `errorMessage` and `finalError` give them. */
export function readFailure(message: string, status?: number): ReplyFailure {
  const plain = plainMessage(message)
  const reported = status ?? Number(STATUS.exec(message)?.[1] ?? Number.NaN)
  const kind = decideFailure({ status: Number.isNaN(reported) ? undefined : reported, words: message })
  // A connection can be refused, too.
  const isRefusal = kind !== 'network' && /content_filter|\brefus/i.test(plain)
  return { kind: isRefusal ? 'refusal' : kind, message: plain }
}

/** Of a reply that came to nothing. */
export function replyFailure(message: JsonRecord): ReplyFailure {
  if (message.stopReason === 'length') return { kind: 'unknown', message: CUT_ANSWER }
  return readFailure(asString(message.errorMessage) ?? 'The model gave no answer.', asNumber(message.errorStatus))
}
