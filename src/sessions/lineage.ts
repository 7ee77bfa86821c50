import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentName } from '../contract/names.ts'
import type { Session, SessionSummary } from '../contract/sessions.ts'
import { asString, parseRecord } from '../core/json.ts'
import { splitUnifiedId, unifiedId } from './unified-id.ts'

/** Made from another session by us: by the agent's own fork, or by a hand-off to another agent. */
export interface LineageEntry {
  kind: 'fork' | 'handoff'
  /** Unified ids. */
  from: string
  to: string
  runId: string
}

/** The agent that a store belongs to: in lists a session has that one's name, no matter who made it. */
type OwnerOf = (agent: AgentName) => AgentName

const NAME = 'lineage.jsonl'

/** One short line for each session that we made from another. Appends of that size need no lock. */
export async function appendLineage(dataDir: string, entry: LineageEntry, at: number): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const line = JSON.stringify({ v: 1, at: new Date(at).toISOString(), ...entry })
  await appendFile(join(dataDir, NAME), `${line}\n`, { mode: 0o600 })
}

/** Lines that are torn or of a later version are skipped. */
export async function readLineage(dataDir: string, ownerOf: OwnerOf = (agent) => agent): Promise<Lineage> {
  const text = await readFile(join(dataDir, NAME), 'utf8').catch(() => '')
  return new Lineage(
    text.split('\n').flatMap((line) => {
      const record = parseRecord(line)
      const [from, to, runId] = [asString(record?.from), asString(record?.to), asString(record?.runId)]
      const { kind, v } = record ?? {}
      if (v !== 1 || !from || !to || (kind !== 'fork' && kind !== 'handoff')) return []
      return [{ kind, from, to, runId: runId ?? '' }]
    }),
    ownerOf,
  )
}

/** Who was made from whom. */
export class Lineage {
  readonly #to = new Map<string, LineageEntry>()
  readonly #from = new Map<string, string[]>()

  readonly #ownerOf: OwnerOf

  constructor(entries: readonly LineageEntry[], ownerOf: OwnerOf) {
    this.#ownerOf = ownerOf
    for (const entry of entries) {
      const [from, to] = [this.#stored(entry.from), this.#stored(entry.to)]
      if (this.#to.has(to)) continue
      this.#to.set(to, entry)
      this.#from.set(from, [...(this.#from.get(from) ?? []), entry.to])
    }
  }

  #stored(id: string): string {
    const parts = splitUnifiedId(id)
    return parts ? unifiedId(this.#ownerOf(parts.agent), parts.sessionId) : id
  }

  /** The session with what we know of its family. What the agent itself says about a fork is kept. */
  addTo<One extends Session | SessionSummary>(session: One): One {
    const id = this.#stored(session.unifiedId)
    const [origin, made] = [this.#to.get(id), this.#from.get(id)]
    if (!origin && !made) return session
    const forkedFrom = origin?.kind === 'fork' ? splitUnifiedId(origin.from)?.sessionId : undefined
    return {
      ...session,
      ...(forkedFrom === undefined || session.forkedFrom !== undefined ? {} : { forkedFrom }),
      ...(origin?.kind === 'handoff' ? { continuedFrom: origin.from } : {}),
      ...(made ? { continuedIn: made } : {}),
    }
  }
}
