import type { Effect, OwnFileRequest } from '../../../contract/dialogue.ts'
import { CUT_ANSWER } from '../../../core/failures.ts'
import {
  asNumber,
  asRecord,
  asString,
  isRecord,
  type JsonRecord,
  parseRecord,
  parseRecords,
  textOf,
} from '../../../core/json.ts'
import type { UsageCounts } from '../../../core/usage.ts'
import { ENDPOINT } from './config.ts'
import type { OpencodeDialect } from './dialect.ts'
import { errorFailure, readError } from './errors.ts'
import { dataOf, modelOf } from './sessions.ts'
import { readTokens } from './usage.ts'

/** The messages since the user's last words, those of sub-agents too. What the agent says in their name is not a turn. */
const LAST_TURN = `
  WITH RECURSIVE own(id) AS (
    SELECT ? UNION SELECT session.id FROM session JOIN own ON session.parent_id = own.id
  ), turn(id) AS (
    SELECT max(message.id) FROM message WHERE session_id = ? AND json_extract(data, '$.role') = 'user' AND EXISTS (
      SELECT 1 FROM part WHERE part.message_id = message.id AND json_extract(part.data, '$.type') IN ('text', 'file')
      AND json_extract(part.data, '$.synthetic') IS NOT 1
    )
  )
  SELECT message.id, message.session_id, message.data, (
    SELECT json_group_array(json_object('type', json_extract(part.data, '$.type'), 'text', json_extract(part.data, '$.text')))
    FROM part WHERE part.message_id = message.id AND json_extract(part.data, '$.type') IN ('text', 'tool')
  ) AS parts FROM message, turn
  WHERE message.id >= turn.id AND message.session_id IN (SELECT id FROM own) ORDER BY message.id`

export interface Evidence {
  turn: string
  usage: { counts: UsageCounts; model?: string }[]
  answer: string
  failure?: string
  error?: Effect[]
}

/**
 * By ACP the agent (1.18) reports what the last request of a turn has used, whatever tools were called before it, calls
 * an answer that was cut complete, and leaves the status out of the provider's errors. Its database has all of it.
 */
export function turnRecord(dialect: OpencodeDialect) {
  const { command: name } = dialect
  return {
    file: (sessionId: string): OwnFileRequest => ({
      type: 'read_own_file',
      variable: 'XDG_DATA_HOME',
      home: '.local/share',
      path: `${name}/${name}.db`,
      query: { sql: LAST_TURN, values: [sessionId, sessionId] },
    }),
    read: (text: string) => readTurn(dialect, text),
  }
}

function readTurn(dialect: OpencodeDialect, text: string): Evidence | null {
  const rows = text.split('\n').map(parseRecord).filter(isRecord)
  const [prompt] = rows
  const answers = rows.map((row) => ({ sessionId: row.session_id, data: dataOf(row) }))
  const last = answers.findLast(({ sessionId }) => sessionId === prompt?.session_id)?.data
  const isOver = last?.role === 'assistant' && asNumber(asRecord(last.time)?.completed) !== undefined
  if (!prompt || !isOver) return null
  return {
    turn: asString(prompt.id) ?? '',
    usage: answers.flatMap(({ data }) => {
      const tokens = asRecord(data.tokens)
      return tokens ? [{ counts: readTokens(tokens), model: askedModel(data) }] : []
    }),
    answer: answerOf(rows.filter(({ session_id }) => session_id === prompt.session_id).slice(1)),
    failure: last.finish === 'length' ? CUT_ANSWER : undefined,
    error: last.error ? errorFailure(dialect, readError(last.error)) : undefined,
  }
}

/** What was said after the last tool call. Of a response that broke off, and was asked for again, the text is empty. */
function answerOf(rows: readonly JsonRecord[]): string {
  const parts = rows.flatMap((row) => parseRecords(textOf(row.parts)) ?? [])
  const sinceTools = parts.slice(parts.findLastIndex(({ type }) => type === 'tool') + 1)
  return sinceTools.map(({ text }) => textOf(text)).join('')
}

/** Under the name that it was asked for: the provider of another endpoint is ours, and no part of that. */
function askedModel({ providerID, modelID }: JsonRecord): string | undefined {
  return providerID === ENDPOINT ? asString(modelID) : modelOf(providerID, modelID)
}
