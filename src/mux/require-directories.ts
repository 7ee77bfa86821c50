import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { ValidationError } from '../contract/errors.ts'
import type { RunOptions } from '../contract/run-options.ts'

/** Agents ignore a directory that is not there, and then refuse, or ask for, what the user has allowed. */
export function requireDirectories({ addDirs = [], cwd = process.cwd() }: RunOptions): void {
  const missing = addDirs.filter((path) => !isDirectory(resolve(cwd, path)))
  if (missing.length === 0) return
  const message = `there is no directory ${missing.join(', ')}`
  throw new ValidationError(
    [{ field: 'addDirs', message, received: missing, expected: 'directories that exist' }],
    'Invalid run options',
  )
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
