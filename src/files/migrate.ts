import { AgentMuxError } from '../contract/errors.ts'
import { asNumber } from '../core/json.ts'
import type { Database } from './sqlite.ts'

/** How many steps a database has taken. */
export function versionOf(database: Database): number {
  return asNumber(database.prepare('PRAGMA user_version').get()?.user_version) ?? 0
}

/**
 * Brings a database up to date: step i takes it from version i to i + 1. Steps are added, never changed. Safe when
 * two processes start at once: each step is taken under the write lock, after another look at the version.
 */
export function migrate(database: Database, steps: readonly string[], name: string): void {
  const version = versionOf(database)
  if (version > steps.length) {
    throw new AgentMuxError(
      'CONFIG_ERROR',
      `${name} was written by a newer agent-mux (step ${version}, this one knows ${steps.length})`,
      {
        hint: 'Update agent-mux; nothing was changed.',
      },
    )
  }
  for (const [index, sql] of steps.entries()) {
    if (versionOf(database) > index) continue
    database.transaction(() => {
      if (versionOf(database) > index) return
      database.exec(sql)
      database.exec(`PRAGMA user_version = ${index + 1}`)
    })
  }
}
