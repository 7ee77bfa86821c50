import type { Effect } from '../../contract/dialogue.ts'
import { asRecord, type JsonRecord } from '../../core/json.ts'
import { fieldsOfForm, PLAIN_NAME, PLAIN_STRING, unescaped } from '../kit/text-line.ts'
import { errorAnswer, resultAnswer } from './answers.ts'
import { notice, OPTED_OUT } from './notices.ts'
import { promptContent } from './prompt.ts'
import { serverRequest } from './requests.ts'
import { CLIENT, isRequestId, request } from './rpc.ts'
import type { DialogueState } from './state.ts'

/** A piece of the answer as Codex 0.166 writes it; every other line, however little it differs, is parsed. */
const TEXT_DELTA = new RegExp(
  String.raw`^\{"method":"item/agentMessage/delta","params":\{"threadId":"(${PLAIN_NAME})","turnId":"(${PLAIN_NAME})","itemId":"(${PLAIN_NAME})","delta":"(${PLAIN_STRING})"\}(?:,"emittedAtMs":[1-9]\d{0,14})?\}$`,
  'u',
)

/** Nearly every line of a run: read by its form, to what parsing it would give. Null: it is another. */
export function textRecord(line: string): JsonRecord | null {
  const fields = fieldsOfForm(TEXT_DELTA, line)
  if (fields === null) return null
  const [, threadId, turnId, itemId, text = ''] = fields
  return { method: 'item/agentMessage/delta', params: { threadId, turnId, itemId, delta: unescaped(text) } }
}

/** The handshake; its answer opens the thread, and the answer to that begins the first turn. */
export function startServer(state: DialogueState): Effect[] {
  state.live = true
  state.queued.push(promptContent(state.options))
  const capabilities = { experimentalApi: true, requestAttestation: false, optOutNotificationMethods: OPTED_OUT }
  return [request(state, { kind: 'initialize' }, 'initialize', { clientInfo: CLIENT, capabilities })]
}

/** A record of `codex app-server`: a request, a notice, or an answer to a request of ours. */
export function serverRecord(state: DialogueState, record: JsonRecord): Effect[] {
  const { id, method } = record
  if (typeof method === 'string') {
    const params = asRecord(record.params) ?? {}
    return isRequestId(id) ? serverRequest(state, id, method, params) : notice(state, method, params)
  }
  if (!isRequestId(id)) return [{ unrecognized: 'record' }]
  return record.error === undefined ? resultAnswer(state, id, record.result) : errorAnswer(state, id, record.error)
}
