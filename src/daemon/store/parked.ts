import { asNumber, asString } from '../../core/json.ts'
import type { Database, Statement } from '../../files/sqlite.ts'

export interface Parking {
  agent: string
  until: number
  why: string
}

/** Agents that have reached a limit, and until when. */
export class ParkedTable {
  readonly #set: Statement
  readonly #list: Statement

  constructor(database: Database) {
    this.#set = database.prepare(
      `INSERT INTO parked (agent, until, why) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET until = excluded.until, why = excluded.why`,
    )
    this.#list = database.prepare('SELECT agent, until, why FROM parked WHERE until > ?')
  }

  set({ agent, until, why }: Parking): void {
    this.#set.run(agent, until, why)
  }

  /** Those that still wait. */
  list(now: number): Parking[] {
    return this.#list.all(now).map(({ agent, until, why }) => ({
      agent: asString(agent) ?? '',
      until: asNumber(until) ?? 0,
      why: asString(why) ?? '',
    }))
  }
}
