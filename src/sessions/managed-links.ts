import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentName } from '../contract/names.ts'
import type { ManagedLink, Session, SessionSummary } from '../contract/sessions.ts'
import { asString } from '../core/json.ts'
import { openReadOnly } from '../files/sqlite.ts'

interface Row extends ManagedLink {
  agent: AgentName
  /** Of the agent's own conversation; undefined before it has one. */
  sessionId: string | undefined
}

/** What the daemon calls its sessions, and which conversations they are. Read without the daemon, which need not run. */
export async function readManagedLinks(
  dataDir: string,
  ownerOf: (agent: AgentName) => AgentName,
): Promise<ManagedLinks> {
  return new ManagedLinks(await readRows(join(dataDir, 'daemon.db')), ownerOf)
}

/** The daemon itself reports a database that cannot be read; here names are a convenience. */
async function readRows(path: string): Promise<Row[]> {
  if (!existsSync(path)) return []
  try {
    const database = await openReadOnly(path)
    try {
      const id = `CASE WHEN json_valid(record) THEN json_extract(record, '$.metadata.agentSessionId') END`
      return database
        .all(`SELECT id, name, agent, ${id} AS session_id FROM sessions ORDER BY created_at DESC, id DESC`)
        .map((row) => ({
          id: String(row.id),
          name: asString(row.name) ?? null,
          agent: String(row.agent),
          sessionId: asString(row.session_id),
        }))
    } finally {
      database.close()
    }
  } catch {
    return []
  }
}

/** The newest first: of several managed sessions with one conversation, that one is meant. */
export class ManagedLinks {
  readonly #rows: readonly Row[]
  readonly #ownerOf: (agent: AgentName) => AgentName

  constructor(rows: readonly Row[], ownerOf: (agent: AgentName) => AgentName) {
    this.#rows = rows
    this.#ownerOf = ownerOf
  }

  /** The conversation of the managed session of this name or id; null when there is none. */
  conversationOf(given: string): { agent: AgentName; sessionId: string } | null {
    const named = this.#rows.find(({ id, name }) => id === given || name === given)
    return named?.sessionId === undefined ? null : { agent: named.agent, sessionId: named.sessionId }
  }

  /** The id of the managed session of this name; null when there is none. */
  idOf(name: string): string | null {
    return this.#rows.find((row) => row.name === name)?.id ?? null
  }

  addTo<One extends Session | SessionSummary>(session: One): One {
    const owner = this.#ownerOf(session.agent)
    const found = this.#rows.find(
      ({ agent, sessionId }) => sessionId === session.sessionId && this.#ownerOf(agent) === owner,
    )
    return found ? { ...session, managed: { id: found.id, name: found.name } } : session
  }
}
