import { closeSync, fdatasync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { DamagedFile } from '../files/read-own-file.ts'

const NEWLINE = 0x0a
const TAIL_BYTES = 64 * 1024
/** Longer than any line that we write. */
export const MAX_LINE_BYTES = 128 * 1024 * 1024

/**
 * A file of lines that only grows. A write is whole or it throws and leaves nothing: what a full disk took of it is cut
 * off again. Synchronous, because nothing may be done with a line before it is written.
 */
export class AppendFile {
  readonly #fd: number
  #size: number

  /** Whatever is after the last newline was never finished, and is removed. */
  constructor(path: string) {
    this.#fd = openSync(path, 'a+', 0o600)
    this.#size = wholeLines(this.#fd, path)
    if (this.#size < fstatSync(this.#fd).size) ftruncateSync(this.#fd, this.#size)
  }

  get size(): number {
    return this.#size
  }

  append(text: string): void {
    const bytes = Buffer.from(text)
    let done = 0
    try {
      while (done < bytes.length) done += writeSync(this.#fd, bytes, done)
    } catch (error) {
      ftruncateSync(this.#fd, this.#size)
      throw error
    }
    this.#size += bytes.length
  }

  /** The lines, the last one first. */
  *linesFromEnd(): Generator<string> {
    let carried = Buffer.alloc(0)
    for (let position = this.#size; position > 0; ) {
      const start = Math.max(0, position - TAIL_BYTES)
      const bytes = Buffer.concat([readAt(this.#fd, start, position - start), carried])
      let end = bytes.length
      for (let newline = bytes.lastIndexOf(NEWLINE, end - 2); newline !== -1 && end > 1; ) {
        yield bytes.toString('utf8', newline + 1, end - 1)
        end = newline + 1
        newline = end < 2 ? -1 : bytes.lastIndexOf(NEWLINE, end - 2)
      }
      carried = bytes.subarray(0, end)
      position = start
    }
    if (carried.length > 0) yield carried.toString('utf8', 0, carried.length - 1)
  }

  /** To the disk itself, for the case of a power cut; without waiting for it. */
  sync(): void {
    fdatasync(this.#fd, () => {}) // what was written is safe from everything but a power cut anyway
  }

  close(): void {
    fdatasyncSync(this.#fd)
    closeSync(this.#fd)
  }
}

function wholeLines(fd: number, path: string): number {
  const { size } = fstatSync(fd)
  let end = size
  while (end > 0) {
    if (size - end > MAX_LINE_BYTES) throw new DamagedFile(path, 'it holds a line without an end')
    const start = Math.max(0, end - TAIL_BYTES)
    const newline = readAt(fd, start, end - start).lastIndexOf(NEWLINE)
    if (newline !== -1) return start + newline + 1
    end = start
  }
  return 0
}

/** Less than `length` only where the file ends before. */
export function readAt(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  let done = 0
  while (done < length) {
    const count = readSync(fd, bytes, done, length - done, position + done)
    if (count === 0) break
    done += count
  }
  return bytes.subarray(0, done)
}
