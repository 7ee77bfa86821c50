import { AgentMuxError } from '../contract/errors.ts'
import { asNumber } from '../core/json.ts'
import type { Database } from './sqlite.ts'

/**
 * Brings a database up to date: step i takes it from version i to i + 1. Steps are added, never changed. Safe when
 * two processes start at once: each step is taken under the write lock, after another look at the version.
 */
export function migrate(database: Database, steps: readonly string[], name: string): void {
  const version = () => asNumber(database.prepare('PRAGMA user_version').get()?.user_version) ?? 0
  if (version() > steps.length) {
    throw new AgentMuxError('CONFIG_ERROR', `${name} was written by a newer agent-mux (version ${version()})`, {
      hint: `Update agent-mux, or move ${name} away; nothing was changed.`,
    })
  }
  for (const [index, sql] of steps.entries()) {
    if (version() > index) continue
    database.transaction(() => {
      if (version() > index) return
      database.exec(sql)
      database.exec(`PRAGMA user_version = ${index + 1}`)
    })
  }
}
