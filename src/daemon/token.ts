import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AgentMuxError } from '../contract/errors.ts'
import { requireOwnFile } from '../files/private-directory.ts'
import { readOwnFile } from '../files/read-own-file.ts'

const TOKEN = /^[A-Za-z0-9_-]{43}$/

export function tokenPath(dataDir: string): string {
  return join(dataDir, 'token')
}

/** The secret that lets a client in; made on first use. Anyone who can read this file of the user counts as the user. */
export async function ensureToken(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const path = tokenPath(dataDir)
  const fresh = randomBytes(32).toString('base64url')
  try {
    await writeFile(path, fresh, { flag: 'wx', mode: 0o600 })
    return fresh
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  const token = await readToken(dataDir)
  if (token !== null) return token
  throw new AgentMuxError('CONFIG_ERROR', `${path} holds no token`, { hint: 'Remove the file; a new one is made.' })
}

/** Null when there is none. Throws for one that others can read, or that is theirs. */
export async function readToken(dataDir: string): Promise<string | null> {
  const path = tokenPath(dataDir)
  if (existsSync(path)) requireOwnFile(path, 'the token of the daemon')
  const text = (await readOwnFile(path))?.trim() ?? ''
  return TOKEN.test(text) ? text : null
}

/** Takes the same time wherever the two differ, and whatever their lengths. */
export function isSameToken(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
