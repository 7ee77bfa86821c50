import type { Account } from '../../contract/api/quota.ts'
import { asNumber, asString } from '../../core/json.ts'
import type { Database, Statement } from '../../files/sqlite.ts'

export interface Parking {
  agent: string
  account: Account
  until: number
  why: string
}

/** Accounts of agents that have reached a limit, and until when. */
export class ParkedTable {
  readonly #set: Statement
  readonly #list: Statement
  readonly #delete: Statement

  constructor(database: Database) {
    this.#set = database.prepare(
      `INSERT INTO parked_accounts (agent, account, about, until, why) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET until = excluded.until, why = excluded.why`,
    )
    this.#list = database.prepare('SELECT agent, about, until, why FROM parked_accounts WHERE until > ?')
    this.#delete = database.prepare('DELETE FROM parked_accounts WHERE agent = ? AND account = ?')
  }

  set({ agent, account, until, why }: Parking): void {
    this.#set.run(agent, account.id, JSON.stringify(account), until, why)
  }

  /** Those that still wait. */
  list(now: number): Parking[] {
    return this.#list.all(now).map(({ agent, about, until, why }) => ({
      agent: asString(agent) ?? '',
      account: JSON.parse(asString(about) ?? '{}'),
      until: asNumber(until) ?? 0,
      why: asString(why) ?? '',
    }))
  }

  delete({ agent, account }: Pick<Parking, 'agent' | 'account'>): void {
    this.#delete.run(agent, account.id)
  }
}
