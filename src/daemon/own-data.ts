import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { AgentMuxError } from '../contract/errors.ts'
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

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: 'something else has this name',
  ENOTDIR: 'a part of its path is a file',
  EACCES: 'you may not write there',
  EPERM: 'you may not write there',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
}

/** The data directory, made for us alone where there is none. Throws when it cannot be, or is somebody else's. */
export function makeOwnData(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const reason = REASONS[code] ?? (error instanceof Error ? error.message : String(error))
    throw new AgentMuxError('CONFIG_ERROR', `The data directory ${dataDir} cannot be made: ${reason}`, {
      hint: 'Set AGENT_MUX_DATA_DIR to a directory of yours.',
    })
  }
  requireOwnData(dataDir)
}
