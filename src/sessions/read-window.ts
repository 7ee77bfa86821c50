import { closeSync, openSync, readSync } from 'node:fs'
import { LineSplitter } from '../core/lines.ts'
import { MAX_LINE } from './read-log.ts'

/** So much of a file is held at once. */
const WINDOW = 1 << 20
const NEWLINE = 0x0a

/** The whole lines of a file from one place to another, or the first of them; and where they end. */
export function readWindow(path: string, from: number, to: number): { lines: string[]; position: number } {
  const file = openSync(path, 'r')
  try {
    let size = Math.min(to - from, WINDOW)
    for (;;) {
      const bytes = Buffer.allocUnsafe(size)
      const length = readSync(file, bytes, 0, size, from)
      const last = bytes.lastIndexOf(NEWLINE, length - 1)
      // A line longer than the window is read with a larger one; the file ends with the last line that is known.
      if (last === -1 && length === size && from + size < to) {
        if (size >= MAX_LINE) return { lines: [], position: endOfLine(file, from + size, to) }
        size = Math.min(to - from, size * 2)
        continue
      }
      const end = last === -1 ? length : last + 1
      return { lines: new LineSplitter().push(bytes.subarray(0, end)), position: last === -1 ? to : from + end }
    }
  } finally {
    closeSync(file)
  }
}

/** After the line that goes on at `from`, which is too long to be read. */
function endOfLine(file: number, from: number, to: number): number {
  const bytes = Buffer.allocUnsafe(WINDOW)
  for (let at = from; at < to; ) {
    const length = readSync(file, bytes, 0, WINDOW, at)
    if (length === 0) break
    const found = bytes.subarray(0, length).indexOf(NEWLINE)
    if (found >= 0) return Math.min(at + found + 1, to)
    at += length
  }
  return to
}
