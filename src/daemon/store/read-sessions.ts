import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openReadOnly } from '../../files/sqlite.ts'
import type { SessionRecord } from '../sessions/record.ts'

/** The sessions of a data directory that no daemon serves. Nothing is written, and nothing made. */
export async function readSessions(dataDir: string): Promise<SessionRecord[]> {
  const path = join(dataDir, 'daemon.db')
  if (!existsSync(path)) return []
  const database = await openReadOnly(path)
  try {
    return database.all('SELECT record FROM sessions').map(({ record }): SessionRecord => JSON.parse(String(record)))
  } finally {
    database.close()
  }
}
