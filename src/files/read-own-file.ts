import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { AgentMuxError } from '../contract/errors.ts'

/** More than any file of ours that is read whole. */
const MAX_BYTES = 64 * 1024 * 1024

/** A file of ours that does not hold what we wrote. */
export class DamagedFile extends AgentMuxError {
  constructor(path: string, why: string, cause?: unknown) {
    super('STORAGE_ERROR', `${path} is damaged: ${why}`, { cause })
  }
}

/**
 * The text of a file of ours; null when it is missing. What has its name may be anything: it is never waited
 * for (a pipe), never followed into memory without a bound, and always named.
 */
export async function readOwnFile(path: string, maxBytes = MAX_BYTES): Promise<string | null> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    if (error.code === 'EMFILE' || error.code === 'ENFILE') throw error // not the fault of the file
    throw new DamagedFile(path, `it cannot be opened (${error.code})`, error)
  })
  if (handle === null) return null
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw new DamagedFile(path, 'it is not a file')
    if (stats.size > maxBytes) throw new DamagedFile(path, `it is larger than ${maxBytes} bytes`)
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}

/** A JSON file of ours; null when it is missing. */
export async function readOwnJson<T>(path: string, isValid: (value: unknown) => value is T): Promise<T | null> {
  const text = await readOwnFile(path)
  if (text === null) return null
  if (text.trim() === '') throw new DamagedFile(path, 'it is empty')
  const value = parse(path, text)
  if (isValid(value)) return value
  throw new DamagedFile(path, 'it does not hold what it should')
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new DamagedFile(path, 'it is not valid JSON', error)
  }
}
