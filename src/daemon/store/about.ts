import { randomBytes } from 'node:crypto'
import { asString } from '../../core/json.ts'
import type { Database, Statement } from '../../files/sqlite.ts'

/** Facts about the database itself. */
export class AboutTable {
  readonly #get: Statement
  readonly #add: Statement

  constructor(database: Database) {
    this.#get = database.prepare('SELECT value FROM about WHERE name = ?')
    this.#add = database.prepare('INSERT OR IGNORE INTO about (name, value) VALUES (?, ?)')
  }

  /** Made once for each database, so that hashes in it mean nothing elsewhere. */
  get salt(): string {
    this.#add.run('salt', randomBytes(16).toString('hex'))
    return asString(this.#get.get('salt')?.value) ?? ''
  }
}
