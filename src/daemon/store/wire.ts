import type { ChangeRow } from './change-log.ts'

/**
 * A change as it goes over the wire, in two forms that must stay the same: made of a row, and made by the database
 * itself, which gives a whole page as one text, without a call for every column. Ids of sessions are ours and need no
 * escaping.
 */
export function frameOf({ seq, kind, json }: Pick<ChangeRow, 'seq' | 'kind' | 'json'>, generation: number): string {
  return `id: ${seq}.${generation}\nevent: ${kind}\ndata: ${json}\n\n`
}

/** The whole `Change`, put together as text: an event is not parsed on its way out. */
export function changeJson(
  row: Omit<ChangeRow, 'json'>,
  launch: number | null,
  n: number | null,
  data: string,
): string {
  const place = launch === null ? '' : `,"launch":${launch},"n":${n}`
  const body = data === '{}' ? '}' : `,${data.slice(1)}`
  return `{"seq":${row.seq},"kind":"${row.kind}","sessionId":"${row.sessionId}"${place}${body}`
}

/**
 * Whether a row can be sent as it is. Its body begins with its kind, `{"event":{`, or says nothing: JSON of another form
 * is valid, too, and would break the frame.
 */
const IS_SOUND = `json_valid(data) AND typeof(data) = 'text' AND instr(data, char(10)) + instr(data, char(13)) = 0
  AND (substr(data, 1, length(kind) + 5) = '{"' || kind || '":{' OR data = '{}' AND kind IN ('removed', 'reset'))
  AND typeof(launch) || typeof(n) IN ('integerinteger', 'nullnull') AND session_id NOT GLOB '*[^-_0-9A-Za-z]*'`

/** A row that is damaged is reported as a reset of its session: readers must read the state again. */
export const SOUND_COLUMNS = `seq, launch, n, data, CASE WHEN ${IS_SOUND} THEN kind ELSE 'reset' END AS kind,
  CASE WHEN session_id GLOB '*[^-_0-9A-Za-z]*' THEN '' ELSE session_id END AS session_id`

const CHANGE_SQL = `'{"seq":' || seq || ',"kind":"' || kind || '","sessionId":"' || session_id || '"'
  || CASE WHEN kind = 'reset' OR launch IS NULL THEN '' ELSE ',"launch":' || launch || ',"n":' || n END
  || CASE WHEN kind = 'reset' OR data = '{}' THEN '}' ELSE ',' || substr(data, 2) END`

const frameSql = (generation: number) =>
  `'id: ' || seq || '.${generation}' || char(10) || 'event: ' || kind || char(10) || 'data: ' || ${CHANGE_SQL} || char(10, 10)`

/** One row: the frames of all rows that `where` selects as one text, how many they are and the number of the last. */
export function framesSql(where: string, generation: number): string {
  return `SELECT count(*) AS rows, max(seq) AS last, group_concat(${frameSql(generation)}, '' ORDER BY seq) AS text
    FROM (SELECT ${SOUND_COLUMNS} FROM change_log WHERE ${where} ORDER BY seq LIMIT ?2)`
}
