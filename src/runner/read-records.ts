import { closeSync, existsSync, fstatSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { LAUNCH_FILES, type LaunchRecord, type RecordsPage } from '../contract/launch.ts'
import { readAt } from './append-file.ts'

const NEWLINE = 0x0a
const PAGE_BYTES = 1024 * 1024

export function parseRecordLine(line: string): LaunchRecord | null {
  try {
    const record: LaunchRecord = JSON.parse(line)
    return record
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
  if (!existsSync(path)) return nothing
  const fd = openSync(path, 'r')
  try {
    const left = fstatSync(fd).size - offset
    for (let size = Math.min(left, maxBytes); size > 0; size = Math.min(left, size * 2)) {
      const bytes = readAt(fd, offset, size)
      const whole = bytes.lastIndexOf(NEWLINE) + 1
      if (whole > 0) return { ...recordsIn(bytes.toString('utf8', 0, whole - 1)), offset: offset + whole }
      if (size === left) break
    }
  } finally {
    closeSync(fd)
  }
  return nothing
}

function recordsIn(text: string): Pick<RecordsPage, 'records' | 'bodies'> {
  const records: LaunchRecord[] = []
  const bodies: string[] = []
  for (const line of text.split('\n')) {
    const record = parseRecordLine(line)
    if (!record) continue
    records.push(record)
    bodies.push('event' in record ? bodyOf(line) : '')
  }
  return { records, bodies }
}

/** Our own lines begin with two numbers, so that the first such name is that of the event itself. */
function bodyOf(line: string): string {
  return `{${line.slice(line.indexOf('"event":'))}`
}
