import type { AgentName } from '../contract/names.ts'
import { asString, type JsonRecord } from '../core/json.ts'
import type { Database } from '../files/sqlite.ts'
import { IndexDamage } from './index-damage.ts'
import { Kind, type Requests } from './requests.ts'
import { number, requestsOf, tablesOf, text } from './tables.ts'

interface Candidate {
  id: number
  sessionId: string
  rootId: string
  parentId: string | undefined
  forkedFrom: string | undefined
  createdAt: number
  born: number
  copies: number
  keys: Float64Array
}

const CANDIDATES = `
  SELECT id, session_id, root_id, parent_id, forked_from, created_at, born, copies, keys
  FROM source WHERE agent = ?`

function candidateOf(row: JsonRecord): Candidate {
  return {
    id: number(row.id),
    sessionId: text(row.session_id),
    rootId: text(row.root_id),
    parentId: asString(row.parent_id),
    forkedFrom: asString(row.forked_from),
    createdAt: number(row.created_at),
    born: number(row.born),
    copies: number(row.copies),
    keys: keysOf(row.keys),
  }
}

function keysOf(packed: unknown): Float64Array {
  if (!(packed instanceof Uint8Array)) return new Float64Array(0)
  if (packed.length % Float64Array.BYTES_PER_ELEMENT !== 0) throw new IndexDamage('Half a key')
  return new Float64Array(packed.slice().buffer)
}

/** Where a request was made: in the session that is not a fork, else in the one that began first. */
function isMaker(a: Candidate, b: Candidate): boolean {
  if ((a.forkedFrom === undefined) !== (b.forkedFrom === undefined)) return a.forkedFrom === undefined
  return (a.createdAt - b.createdAt || a.born - b.born || a.id - b.id) < 0
}

/** The keys that are there more than once. */
function sharedKeys(candidates: readonly Candidate[]): Set<number> {
  const all = new Float64Array(candidates.reduce((sum, { keys }) => sum + keys.length, 0))
  let filled = 0
  for (const { keys } of candidates) {
    all.set(keys, filled)
    filled += keys.length
  }
  all.sort()
  const shared = new Set<number>()
  for (let i = 1; i < all.length; i++) if (all[i] === all[i - 1]) shared.add(all[i] ?? 0)
  return shared
}

function makersOf(candidates: readonly Candidate[], shared: ReadonlySet<number>): Map<number, Candidate> {
  const makers = new Map<number, Candidate>()
  for (const candidate of candidates) {
    for (const key of candidate.keys) {
      if (!shared.has(key)) continue
      const other = makers.get(key)
      if (!other || isMaker(candidate, other)) makers.set(key, candidate)
    }
  }
  return makers
}

/**
 * A fork's file repeats the turns of its origin, and with them their counts. Decides for what is not settled yet where
 * each request counts, and names the origin of a fork that does not name it: whose turn it has copied last.
 */
export function settleCopies(database: Database, agent: AgentName): void {
  const tables = tablesOf(database)
  const candidates = database.prepare(CANDIDATES).all(agent).map(candidateOf)
  const load = database.prepare('SELECT requests, models FROM source WHERE id = ?')
  const nameOrigin = database.prepare('UPDATE source SET forked_from = ? WHERE id = ?')
  const shared = sharedKeys(candidates)
  const makers = makersOf(candidates, shared)
  const requestsOfId = (id: number): Requests => requestsOf(load.get(id) ?? {})
  const bySession = new Map(candidates.filter(({ parentId }) => !parentId).map((one) => [one.sessionId, one]))

  for (const candidate of candidates) {
    const isConcerned = candidate.copies > 0 || candidate.keys.some((key) => shared.has(key))
    if (!isConcerned) continue
    const requests = requestsOfId(candidate.id)
    const origin = markCopies(candidate, requests, makers)
    if (candidate.forkedFrom === undefined && candidate.parentId === undefined && origin !== undefined) {
      candidate.forkedFrom = origin
      nameOrigin.run(origin, candidate.id)
    }
    const from = bySession.get(candidate.forkedFrom ?? '')
    if (from) markHelpers(requests, requestsOfId(from.id))
    tables.putRequests(candidate.id, requests, true)
  }
  database.prepare('UPDATE source SET settled = 1 WHERE agent = ? AND settled = 0').run(agent)
}

/** Gives the session of the last request that was made elsewhere. */
function markCopies(own: Candidate, requests: Requests, makers: ReadonlyMap<number, Candidate>): string | undefined {
  let origin: string | undefined
  let latest = 0
  for (let row = 0; row < requests.length; row++) {
    if (requests.isHelper(row)) continue
    const maker = makers.get(requests.key(row)) ?? own
    requests.setKind(row, maker === own ? Kind.request : Kind.copiedRequest)
    if (maker.rootId === own.rootId || requests.at(row) < latest) continue
    latest = requests.at(row)
    origin = maker.sessionId
  }
  return origin
}

/** The sums of a fork hold those of its origin, and so the work of its helpers. */
function markHelpers(fork: Requests, origin: Requests): void {
  const known = new Set<string>()
  for (let row = 0; row < origin.length; row++) if (origin.isHelper(row)) known.add(origin.model(row))
  for (let row = 0; row < fork.length; row++) {
    if (fork.isHelper(row)) fork.setKind(row, known.has(fork.model(row)) ? Kind.copiedHelper : Kind.helper)
  }
}
