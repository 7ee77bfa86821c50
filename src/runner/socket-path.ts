import { createHash } from 'node:crypto'
import { chmodSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { requireOwnDirectory } from '../files/private-directory.ts'

/** A path of a socket must fit into 104 bytes on macOS, 108 on Linux, with its end. */
const MAX_SOCKET_PATH = 103
const NAME = 'control.sock'
const PREFIX = 'amux-socket-'

/** Beside the other files, where the path is short enough. */
export function defaultSocketPath(launchDir: string): string {
  return join(launchDir, NAME)
}

/**
 * Where a new runner listens. A path that is too long gives way to a new directory of our own, with a name that nobody
 * can know before: a fixed name below /tmp could be made by somebody else first.
 */
export function newSocketPath(launchDir: string, launchId: string): string {
  if (process.platform === 'win32') {
    const name = createHash('sha256').update(launchDir).digest('hex').slice(0, 16)
    return `\\\\.\\pipe\\amux-${launchId}-${name}`
  }
  const path = defaultSocketPath(launchDir)
  return Buffer.byteLength(path) <= MAX_SOCKET_PATH ? path : inNewDirectory()
}

function inNewDirectory(): string {
  const longest = MAX_SOCKET_PATH - `/${PREFIX}XXXXXX/${NAME}`.length
  const parent = Buffer.byteLength(tmpdir()) <= longest ? tmpdir() : '/tmp'
  const directory = mkdtempSync(join(parent, PREFIX))
  chmodSync(directory, 0o700)
  try {
    requireOwnDirectory(directory, 'control sockets')
  } catch (error) {
    rmdirSync(directory)
    throw error
  }
  return join(directory, NAME)
}

/** Throws when the directory of a socket is not ours alone: who listens there could be anybody. */
export function requireOwnSocket(path: string): void {
  if (process.platform !== 'win32') requireOwnDirectory(dirname(path), 'control sockets')
}

/** Removes the directory that was made for a socket. */
export function removeSocketDirectory(path: string): void {
  const directory = dirname(path)
  if (!basename(directory).startsWith(PREFIX)) return
  try {
    rmSync(path, { force: true })
    rmdirSync(directory)
  } catch {
    // It is gone, or not what we have made.
  }
}
