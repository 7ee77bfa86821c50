import type { SessionNotification } from '@agentclientprotocol/sdk/unstable'
import { fieldsOfForm, PLAIN_NAME, PLAIN_STRING, unescaped } from '../../kit/text-line.ts'
import type { Native } from './rpc.ts'

/** What Grok 1.0 says beside each update: names with texts and whole numbers. */
const META_FIELD = String.raw`"\w+":(?:"${PLAIN_NAME}"|0|[1-9]\d{0,14})`

/** A piece of an answer or a thought; every other line, however little it differs, is parsed. */
const CHUNK = new RegExp(
  String.raw`^\{"jsonrpc":"2\.0","method":"session/update","params":\{"sessionId":"(${PLAIN_NAME})","update":\{"sessionUpdate":"(agent_(?:message|thought)_chunk)",(?:"messageId":"(${PLAIN_NAME})",)?"content":\{"type":"text","text":"(${PLAIN_STRING})"\}\}(?:,"_meta":\{${META_FIELD}(?:,${META_FIELD})*\})?\}\}$`,
  'u',
)

/** Nearly every line of a run: read by its form, to what parsing it would give but for `_meta`. Null: it is another. */
export function chunkLine(line: string): Native<SessionNotification> | null {
  const fields = fieldsOfForm(CHUNK, line)
  if (fields === null) return null
  const [, sessionId, sessionUpdate, messageId, text = ''] = fields
  return { sessionId, update: { sessionUpdate, messageId, content: { type: 'text', text: unescaped(text) } } }
}
