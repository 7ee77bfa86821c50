import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { SessionLog, UsageRow } from '../contract/session-store.ts'
import { parseRecord } from '../core/json.ts'
import { keyOf } from './requests.ts'
import type { KnownSource, SourceReading } from './sources.ts'

const NEWLINE = 0x0a
const CHUNK = 1 << 20
const MARK_BYTES = 128
/** A line beyond this is left out: no request is that long. */
export const MAX_LINE = 16 << 20

/** One for all files: they are read one after the other. */
let shared = Buffer.allocUnsafeSlow(CHUNK)

/** Stands for the first and the last bytes of what has been read, which may be anything themselves. */
function marksOf(file: number, position: number): string {
  const length = Math.min(position, MARK_BYTES)
  const bytes = Buffer.alloc(2 * length)
  readSync(file, bytes, 0, length, 0)
  readSync(file, bytes, length, length, position - length)
  return String(keyOf(bytes.toString('latin1')))
}

/**
 * Reads a log from where it was left. Marks in it show whether it is still the same log: one that was replaced, cut or
 * rewritten is read from its start. A last line without its end is left for the next time.
 */
export function readLog(path: string, log: SessionLog, known: KnownSource | null): SourceReading {
  const file = openSync(path, 'r')
  try {
    const saved = known?.reader === log.version && canContinue(file, known) ? parseRecord(known.state) : null
    const reader = log.open(path, saved)
    const rows = new Map<string, UsageRow>()
    const add = (row: UsageRow): void => void rows.set(row.key, row)
    const start = saved && known ? known.position : 0
    const { position, leftOut } = readLines(file, start, (lines) => reader.read(lines, add))
    return {
      facts: reader.facts(),
      usage: [...rows.values()],
      continues: saved !== null,
      leftOut,
      marks: marksOf(file, position),
      position,
      reader: log.version,
      state: JSON.stringify(reader.state()),
    }
  } finally {
    closeSync(file)
  }
}

function canContinue(file: number, known: KnownSource): boolean {
  return fstatSync(file).size >= known.position && marksOf(file, known.position) === known.marks
}

/** Gives the whole lines after `position` in large pieces, and where the last of them ends. */
function readLines(
  file: number,
  position: number,
  take: (lines: Buffer) => void,
): { position: number; leftOut: number } {
  let done = position
  let filled = 0
  let leftOut = 0
  let skipping = false
  for (;;) {
    const read = readSync(file, shared, filled, shared.length - filled, done + filled)
    if (read === 0) break
    filled += read
    const last = shared.lastIndexOf(NEWLINE, filled - 1)
    if (last === -1) {
      if (filled < shared.length) continue
      if (shared.length < MAX_LINE && !skipping) grow()
      else {
        // Too long: what has been read of it is passed by, and the rest with it.
        skipping = true
        done += filled
        leftOut += filled
        filled = 0
      }
      continue
    }
    const first = skipping ? shared.indexOf(NEWLINE) + 1 : 0
    leftOut += first
    skipping = false
    if (last >= first) take(shared.subarray(first, last + 1))
    done += last + 1
    shared.copyWithin(0, last + 1, filled)
    filled -= last + 1
  }
  if (shared.length > CHUNK) shared = Buffer.allocUnsafeSlow(CHUNK)
  return skipping ? { position: done + filled, leftOut: leftOut + filled } : { position: done, leftOut }
}

function grow(): void {
  const larger = Buffer.allocUnsafeSlow(shared.length * 2)
  shared.copy(larger)
  shared = larger
}
