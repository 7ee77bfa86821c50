import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openReadOnly } from '../../files/sqlite.ts'
import type { SessionRecord } from '../sessions/record.ts'
import { isSessionRecord } from './damaged-session.ts'

/** The sessions of a data directory that no daemon serves. Nothing is written, and nothing made. */
export async function readSessions(dataDir: string): Promise<SessionRecord[]> {
  const path = join(dataDir, 'daemon.db')
  if (!existsSync(path)) return []
  const database = await openReadOnly(path)
  try {
    return database.all('SELECT record FROM sessions').flatMap(({ record }) => parse(String(record)))
  } finally {
    database.close()
  }
}

/** Those that are damaged are left out: nothing can be said of what is theirs. */
function parse(text: string): SessionRecord[] {
  try {
    const record: unknown = JSON.parse(text)
    return isSessionRecord(record) ? [record] : []
  } catch {
    return []
  }
}
