import { AgentMuxError } from '../../../contract/errors.ts'
import type { Inquiry } from '../../../contract/inquiry.ts'
import { asRecord, type JsonRecord } from '../../../core/json.ts'
import { messageLines, recordsOf } from '../../kit/inquiry.ts'

const message = (subtype: string) => ({ type: 'control_request', request_id: subtype, request: { subtype } })

/** A control request of the stream-json protocol, put before any turn: no model is asked. */
export function controlInquiry<Answer>(
  args: readonly string[],
  subtype: string,
  read: (response: JsonRecord) => Answer,
): Inquiry<Answer> {
  return {
    args: [...args, '--input-format=stream-json', '--output-format=stream-json'],
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
