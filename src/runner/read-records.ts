import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { LAUNCH_FILES, type LaunchRecord, type RecordsPage } from '../contract/launch.ts'
import { DamagedFile } from '../files/read-own-file.ts'
import { MAX_LINE_BYTES, readAt } from './append-file.ts'
import { isLaunchRecord } from './launch-shapes.ts'

const NEWLINE = 0x0a
/** Less than a tenth of a second of work for the reader. */
const PAGE_BYTES = 256 * 1024

export function parseRecordLine(line: string): LaunchRecord | null {
  try {
    const record: unknown = JSON.parse(line)
    return isLaunchRecord(record) ? record : null
  } catch {
    return null // not a record of ours
  }
}

/**
 * Whole records from this place on: at most `maxBytes` of them, but one at least. Read without the thread pool: what
 * was just written is in memory, and on a busy machine every way through another thread can cost milliseconds.
 */
export async function readRecords(launchDir: string, offset: number, maxBytes = PAGE_BYTES): Promise<RecordsPage> {
  const path = join(launchDir, LAUNCH_FILES.records)
  const nothing = { records: [], bodies: [], offset }
  const fd = openRecords(path)
  if (fd === null) {
    if (offset > 0) throw new DamagedFile(path, 'it is gone')
    return nothing
  }
  try {
    const left = leftIn(fd, path, offset)
    for (let size = Math.min(left, maxBytes); size > 0; size = Math.min(left, size * 2)) {
      const bytes = readAt(fd, offset, size)
      const whole = bytes.lastIndexOf(NEWLINE) + 1
      if (whole > 0) return { ...recordsIn(bytes.toString('utf8', 0, whole - 1), path), offset: offset + whole }
      if (size > MAX_LINE_BYTES) throw new DamagedFile(path, 'it holds a line without an end')
      if (size === left) break
    }
  } finally {
    closeSync(fd)
  }
  return nothing
}

/** Null when there is none. What is there may be a pipe, for which nobody must wait. */
function openRecords(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    if (code === 'EMFILE' || code === 'ENFILE') throw error
    throw new DamagedFile(path, `it cannot be opened (${code})`, error)
  }
}

/** How many bytes come after a place that was read up to. Throws when that place is not there any more. */
function leftIn(fd: number, path: string, offset: number): number {
  const stats = fstatSync(fd)
  if (!stats.isFile()) throw new DamagedFile(path, 'it is not a file')
  if (stats.size < offset) throw new DamagedFile(path, `it was cut to ${stats.size} bytes, of ${offset} that were read`)
  if (offset > 0 && readAt(fd, offset - 1, 1)[0] !== NEWLINE) throw new DamagedFile(path, 'it was changed')
  return stats.size - offset
}

function recordsIn(text: string, path: string): Pick<RecordsPage, 'records' | 'bodies'> {
  const records: LaunchRecord[] = []
  const bodies: string[] = []
  for (const line of text.split('\n')) {
    const record = parseRecordLine(line)
    if (!record) throw new DamagedFile(path, 'it holds a line that is not a record')
    records.push(record)
    bodies.push('event' in record ? bodyOf(line) : '')
  }
  return { records, bodies }
}

/** Our own lines begin with two numbers, so that the first such name is that of the event itself. */
function bodyOf(line: string): string {
  return `{${line.slice(line.indexOf('"event":'))}`
}
