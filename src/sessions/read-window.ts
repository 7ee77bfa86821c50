import { closeSync, openSync, readSync } from 'node:fs'
import { LineSplitter } from '../core/lines.ts'

/** So much of a file is held at once. */
const WINDOW = 4 << 20
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
