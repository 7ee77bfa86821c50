import { closeSync, fdatasync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'

const NEWLINE = 0x0a
const TAIL_BYTES = 64 * 1024

/**
 * A file of lines that only grows. A write is whole or it throws and leaves nothing: what a full disk took of it is cut
 * off again. Synchronous, because nothing may be done with a line before it is written.
 */
export class AppendFile {
  readonly #fd: number
  #size: number

  /** Whatever stands after the last newline was never finished, and is removed. */
  constructor(path: string) {
    this.#fd = openSync(path, 'a+', 0o600)
    this.#size = wholeLines(this.#fd)
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

  /** The last whole line; null when there is none. */
  lastLine(): string | null {
    if (this.#size === 0) return null
    for (let length = TAIL_BYTES; ; length *= 8) {
      const bytes = read(this.#fd, Math.max(0, this.#size - length), Math.min(length, this.#size))
      const start = bytes.lastIndexOf(NEWLINE, bytes.length - 2)
      if (start !== -1 || bytes.length === this.#size) return bytes.toString('utf8', start + 1, bytes.length - 1)
    }
  }

  /** To the disk itself, for the case of a power cut; without waiting for it. */
  sync(): void {
    fdatasync(this.#fd, () => {}) // what was written is safe from everything but a power cut all the same
  }

  close(): void {
    fdatasyncSync(this.#fd)
    closeSync(this.#fd)
  }
}

function wholeLines(fd: number): number {
  let end = fstatSync(fd).size
  while (end > 0) {
    const start = Math.max(0, end - TAIL_BYTES)
    const newline = read(fd, start, end - start).lastIndexOf(NEWLINE)
    if (newline !== -1) return start + newline + 1
    end = start
  }
  return 0
}

function read(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  let done = 0
  while (done < length) {
    const count = readSync(fd, bytes, done, length - done, position + done)
    if (count === 0) break
    done += count
  }
  return bytes.subarray(0, done)
}
