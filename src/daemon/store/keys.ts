import { createHash } from 'node:crypto'
import { AgentMuxError } from '../../contract/errors.ts'
import { asString } from '../../core/json.ts'
import type { Database, Statement } from '../../files/sqlite.ts'

const KEPT_MS = 7 * 24 * 60 * 60 * 1000

/** What was asked for under a key, so that asking again does nothing again. */
export class KeyTable {
  readonly #get: Statement
  readonly #insert: Statement
  readonly #prune: Statement

  constructor(database: Database) {
    this.#get = database.prepare('SELECT request, answer FROM idempotency WHERE scope = ? AND key = ?')
    this.#insert = database.prepare(
      'INSERT INTO idempotency (scope, key, request, answer, created_at) VALUES (?, ?, ?, ?, ?)',
    )
    this.#prune = database.prepare('DELETE FROM idempotency WHERE created_at < ?')
  }

  /** What the first request with this key led to. A key stands for one request: another one under it is refused. */
  find(scope: string, key: string, request: unknown): string | null {
    const row = this.#get.get(scope, key)
    if (!row) return null
    refuseOtherRequest(key, row.request, request)
    return asString(row.answer) ?? null
  }

  /** In the same transaction as what it led to. */
  add(scope: string, key: string, request: unknown, answer: string, at: number): void {
    this.#insert.run(scope, key, fingerprint(request), answer, at)
    this.#prune.run(at - KEPT_MS)
  }
}

/** What a key was first used for is given by its fingerprint. */
export function refuseOtherRequest(key: string, first: unknown, request: unknown): void {
  if (first === fingerprint(request)) return
  throw new AgentMuxError('VALIDATION_ERROR', `The key "${key}" was used for another request`, {
    hint: 'Use a new key for every new request.',
  })
}

/** A digest: a request may hold secrets. */
export function fingerprint(request: unknown): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('base64url')
}
