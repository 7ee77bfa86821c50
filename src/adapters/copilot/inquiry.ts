import type { Inquiry } from '../../contract/inquiry.ts'
import type { JsonRecord } from '../../core/json.ts'
import { framedMessages, framedRecords, resultOf } from '../kit/inquiry.ts'

/** Requests to its server, all at once; the results are in the same order. */
export function serverInquiry<Answer>(
  methods: readonly string[],
  read: (...results: JsonRecord[]) => Answer,
): Inquiry<Answer> {
  return {
    args: ['--headless', '--stdio', '--no-auto-update'],
    input: framedMessages(methods.map((method, id) => ({ jsonrpc: '2.0', id, method, params: {} }))),
    read: (stdout) => {
      const records = framedRecords(stdout)
      const results = methods.map((_, id) => resultOf(records, id)).filter((result) => result !== null)
      return results.length === methods.length ? read(...results) : null
    },
  }
}
