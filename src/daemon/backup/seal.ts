import { createHash } from 'node:crypto'
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { readAt } from '../../runner/append-file.ts'

const MARK = 'sha256:'
const SEAL = /^sha256:[0-9a-f]{64}$/
const SEAL_BYTES = MARK.length + 64
const CHUNK_BYTES = 1024 * 1024

/**
 * Adds the hash of a file to its end, on the disk when this returns. A backup stays a database: SQLite does not look
 * behind its last page. Its own check finds broken pages, but not another letter in a text.
 */
export function seal(path: string): void {
  onFile(path, (fd, size) => {
    writeSync(fd, sealOf(fd, size), size)
    fsyncSync(fd)
  })
}

/** Takes the hash off again. False: there is none. Throws when the file is not what was sealed. */
export function unseal(path: string): boolean {
  return onFile(path, (fd, size) => {
    const end = Math.max(0, size - SEAL_BYTES)
    const found = readAt(fd, end, SEAL_BYTES).toString('latin1')
    if (!SEAL.test(found)) return false
    if (found !== sealOf(fd, end)) throw new Error('it is damaged: its content does not match its checksum')
    ftruncateSync(fd, end)
    return true
  })
}

function onFile<T>(path: string, work: (fd: number, size: number) => T): T {
  const fd = openSync(path, 'r+')
  try {
    return work(fd, fstatSync(fd).size)
  } finally {
    closeSync(fd)
  }
}

function sealOf(fd: number, size: number): string {
  const hash = createHash('sha256')
  for (let at = 0; at < size; at += CHUNK_BYTES) hash.update(readAt(fd, at, Math.min(CHUNK_BYTES, size - at)))
  return MARK + hash.digest('hex')
}
