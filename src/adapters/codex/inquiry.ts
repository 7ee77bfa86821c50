import type { Inquiry } from '../../contract/inquiry.ts'
import type { JsonRecord } from '../../core/json.ts'
import { messageLines, recordsOf, resultOf } from '../kit/inquiry.ts'
import { CLIENT } from './rpc.ts'

/** A request to the app server that needs no thread. */
export function serverInquiry<Answer>(method: string, read: (result: JsonRecord) => Answer): Inquiry<Answer> {
  return {
    args: ['app-server'],
    input: messageLines([
      { id: 1, method: 'initialize', params: { clientInfo: CLIENT } },
      { method: 'initialized' },
      { id: 2, method, params: {} },
    ]),
    read: (stdout) => {
      const result = resultOf(recordsOf(stdout), 2)
      return result && read(result)
    },
  }
}
