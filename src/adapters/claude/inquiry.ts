import { AgentMuxError } from '../../contract/errors.ts'
import type { Inquiry } from '../../contract/inquiry.ts'
import { messageLines, recordsOf } from '../../core/inquiry.ts'
import { asRecord, type JsonRecord } from '../../core/json.ts'

/** Settings of the project may run hooks: nothing but the user's own is read for a question. */
const ARGS = [
  ...['-p', '--input-format=stream-json', '--output-format=stream-json', '--verbose'],
  ...['--setting-sources=user', '--no-session-persistence', '--strict-mcp-config'],
]

const message = (subtype: string) => ({ type: 'control_request', request_id: subtype, request: { subtype } })

/** A control request of the stream-json protocol, put before any turn: no model is asked. */
export function controlInquiry<Answer>(subtype: string, read: (response: JsonRecord) => Answer): Inquiry<Answer> {
  return {
    args: ARGS,
    input: messageLines([message('initialize'), message(subtype)]),
    read: (stdout) => {
      const answers = recordsOf(stdout).filter(({ type }) => type === 'control_response')
      const response = answers.map((one) => asRecord(one.response)).find((one) => one?.request_id === subtype)
      if (response?.subtype === 'error')
        throw new AgentMuxError('PARSE_ERROR', `It refused ${subtype}: ${response.error}`)
      return response ? read(asRecord(response.response) ?? {}) : null
    },
  }
}
