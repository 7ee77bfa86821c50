import { asRecord, asString, type JsonRecord } from '../../core/json.ts'

/** The words that recorders have for the two directions. */
const AGENT: ReadonlySet<string> = new Set(['a->c', 'agent->client', 'agent', 'out', 'recv', 'received', 'stdout'])
const CLIENT: ReadonlySet<string> = new Set(['c->a', 'client->agent', 'client', 'in', 'send', 'sent', 'stdin'])

interface Envelope {
  from: 'agent' | 'client' | 'recorder'
  message: JsonRecord
}

/** A line of a recording of both directions: `{dir, msg}` or `{dir, rec}`, with the time. Null: it is none. */
export function openEnvelope(record: JsonRecord): Envelope | null {
  const direction = asString(record.dir)
  if (direction === undefined || !('msg' in record || 'rec' in record)) return null
  const message = asRecord(record.msg) ?? asRecord(record.rec) ?? {}
  if (AGENT.has(direction)) return { from: 'agent', message }
  return { from: CLIENT.has(direction) ? 'client' : 'recorder', message }
}
