import { randomInt } from 'node:crypto'
import type { LogPlace } from '../../contract/api/place.ts'
import { asNumber } from '../../core/json.ts'
import type { Database, Statement } from '../../files/sqlite.ts'

const KEPT = 1000

/**
 * Which daemon has sent which change. Each daemon is a generation of its own, which begins with the newest change that it
 * found. When a database is put back, the next daemon begins at an earlier change than the readers have seen: their
 * place is then beyond the end of its generation, or of a generation that this database does not know.
 */
export class Generations {
  /** That of this daemon. */
  readonly current: number
  readonly #next: Statement

  constructor(database: Database, lastSeq: number) {
    // No digit is 0, so that nothing is lost where it is read as a fraction.
    this.current = Number(Array.from({ length: 6 }, () => randomInt(1, 10)).join(''))
    this.#next = database.prepare(
      `SELECT later.from_seq AS end FROM generations own LEFT JOIN generations later ON later.number = own.number + 1
       WHERE own.id = ? ORDER BY own.number DESC LIMIT 1`,
    )
    database.transaction(() => {
      database.prepare('INSERT INTO generations (id, from_seq) VALUES (?, ?)').run(this.current, lastSeq)
      database.prepare('DELETE FROM generations WHERE number <= (SELECT max(number) FROM generations) - ?').run(KEPT)
    })
  }

  /** Whether a reader can have come to this place in this log. */
  knows({ seq, generation }: LogPlace): boolean {
    if (generation === null || generation === this.current) return true
    const found = this.#next.get(generation)
    return found !== undefined && seq <= (asNumber(found.end) ?? seq)
  }
}
