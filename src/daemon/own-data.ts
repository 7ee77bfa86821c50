import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { requireOwnDirectory, requireOwnFile } from '../files/private-directory.ts'
import { tokenPath } from './token.ts'

const WRITABLE_BY_OTHERS = 0o022

/**
 * Throws when a data directory, or something in it that we rely on, may be somebody else's: who owns it could read
 * prompts, hand us a database, or pose as our daemon. One that is not there is fine: it is made for us alone.
 */
export function requireOwnData(dataDir: string): void {
  if (!existsSync(dataDir)) return
  requireOwnDirectory(dataDir, 'the data of agent-mux')
  for (const name of ['launches', 'spool', 'hooks', 'worktrees']) {
    const path = join(dataDir, name)
    if (existsSync(path)) requireOwnDirectory(path, 'the data of agent-mux')
  }
  for (const name of ['daemon.json', 'daemon.db', 'daemon.log']) {
    const path = join(dataDir, name)
    if (existsSync(path)) requireOwnFile(path, 'a file of the daemon', WRITABLE_BY_OTHERS)
  }
  if (existsSync(tokenPath(dataDir))) requireOwnFile(tokenPath(dataDir), 'the token of the daemon')
}
