import { asRecord, asString, type JsonRecord } from '../core/json.ts'

/** The words that recorders have for the two directions. */
const AGENT: ReadonlySet<string> = new Set(['a->c', 'agent->client', 'agent', 'out', 'recv', 'received', 'stdout'])
const CLIENT: ReadonlySet<string> = new Set(['c->a', 'client->agent', 'client', 'in', 'send', 'sent', 'stdin'])

export interface Envelope {
  from: 'agent' | 'client' | 'recorder'
  message: JsonRecord
}

/**
 * A line of a recording that says more than what the agent printed: `{dir, msg}` or `{dir, rec}` of both directions,
 * `{raw}` of the events of a server, each with the time. Null: it is none.
 */
export function openEnvelope(record: JsonRecord): Envelope | null {
  const direction = asString(record.dir)
  const message = asRecord(record.msg) ?? asRecord(record.rec) ?? asRecord(record.raw)
  if (direction === undefined) return message !== undefined && isTimed(record) ? { from: 'agent', message } : null
  if (!('msg' in record || 'rec' in record || 'raw' in record)) return null
  if (AGENT.has(direction)) return { from: 'agent', message: message ?? {} }
  return { from: CLIENT.has(direction) ? 'client' : 'recorder', message: message ?? {} }
}

/** `{t, raw}` and nothing else, so that no agent's own record is taken for it. */
function isTimed(record: JsonRecord): boolean {
  return typeof record.t === 'number' && 'raw' in record && Object.keys(record).length === 2
}
