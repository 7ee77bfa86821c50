import type { Database } from '../files/sqlite.ts'
import { text } from './tables.ts'

/**
 * A fork's file repeats the turns of its origin, and with them their counts. Such a request counts where it was made:
 * in the session that is no fork, else in the one that began first.
 */
export function copiesOf(database: Database) {
  const shared = database.prepare(`
    SELECT DISTINCT own.key AS key FROM json_each(?) AS source
    JOIN usage AS own ON own.source = source.value
    JOIN usage AS other ON other.key = own.key AND other.source <> own.source`)
  const mark = database.prepare(`
    UPDATE usage SET copy = source <> (
      SELECT one.source FROM usage AS one JOIN source ON source.id = one.source WHERE one.key = usage.key
      ORDER BY source.forked_from IS NOT NULL, source.created_at, source.born, source.id LIMIT 1)
    WHERE key IN (SELECT value FROM json_each(?))`)
  // The origin of a fork that does not name it: whose turn was the last one that it has copied.
  const nameOrigin = database.prepare(`
    UPDATE source SET forked_from = (
      SELECT origin.session_id FROM usage AS copied
      JOIN usage AS made ON made.key = copied.key AND made.copy = 0
      JOIN source AS origin ON origin.id = made.source
      WHERE copied.source = source.id AND copied.copy = 1 AND origin.root_id <> source.root_id
      ORDER BY copied.at DESC LIMIT 1)
    WHERE forked_from IS NULL AND parent_id IS NULL AND id IN (
      SELECT DISTINCT usage.source FROM json_each(?) AS shared JOIN usage ON usage.key = shared.value
      WHERE usage.copy = 1)`)

  return {
    /** The requests of these sources that are in others as well. To be asked before rows go, too. */
    sharedKeys: (sources: readonly number[]): string[] =>
      shared.all(JSON.stringify(sources)).map(({ key }) => text(key)),
    /** Decides for each of these requests where it counts. */
    settle(keys: readonly string[]): void {
      if (keys.length === 0) return
      const list = JSON.stringify(keys)
      mark.run(list)
      nameOrigin.run(list)
    },
  }
}
