import { type FileHandle, open } from 'node:fs/promises'
import type { SessionFiles } from '../contract/session-store.ts'
import type { SessionMessage } from '../contract/sessions.ts'
import type { View, Viewer } from './viewer.ts'

const NEWLINE = 0x0a
/** As much of the end as is read at first, and kept when the view gets too large. */
const ENOUGH = 256 << 10
const TOO_LARGE = 2 << 20
/** More than this is not held, however few turns are in it. */
const MOST = 64 << 20

/**
 * The end of a log that somebody else writes, so that a look at it costs as much as its last turns, whatever its size.
 * The view begins with a line of the log, behind its first line, which many readers need to know whose log it is.
 */
export class LogWindow implements Viewer {
  readonly #path: string
  readonly #store: SessionFiles
  #identity = ''
  #size = 0
  #start = 0
  #messages: readonly SessionMessage[] = []
  #head: { line: string; messageCount: number } | null = null

  constructor(path: string, store: SessionFiles) {
    this.#path = path
    this.#store = store
  }

  /** Null when nothing has changed. Throws when the file is gone. */
  async look(turns = 1): Promise<View | null> {
    const file = await open(this.#path, 'r')
    try {
      const { size, dev, ino } = await file.stat()
      const identity = `${dev}:${ino}`
      const isNew = identity !== this.#identity || size < this.#size
      if (!isNew && size === this.#size) return null
      // Before the new is read: only what has been seen may leave the view.
      const dropped = isNew ? 0 : await this.#narrow(file, this.#size, size)
      if (isNew || size - this.#start > MOST) await this.#begin(file, size, turns)
      else this.#messages = await this.#read(file, this.#start, size)
      this.#identity = identity
      this.#size = size
      return { messages: this.#messages, dropped, isNew }
    } finally {
      await file.close()
    }
  }

  /** Widens the view until it holds so many turns. */
  async #begin(file: FileHandle, size: number, turns: number): Promise<void> {
    this.#head = null
    for (let bytes = ENOUGH; ; bytes *= 4) {
      this.#start = bytes >= size ? 0 : await nextLine(file, size - bytes, size)
      this.#messages = await this.#read(file, this.#start, size)
      if (this.#start === 0 || bytes * 4 > MOST || this.#messages.filter(isSaid).length >= turns) return
    }
  }

  /** Moves the start of a large view forward, when what is left is read the same without what was before. */
  async #narrow(file: FileHandle, size: number, newSize: number): Promise<number> {
    if (newSize - this.#start > MOST) return this.#messages.length
    if (size - this.#start < TOO_LARGE) return 0
    const start = await nextLine(file, size - ENOUGH, size)
    const messages = await this.#read(file, start, size)
    const dropped = this.#messages.length - messages.length
    const same = JSON.stringify(this.#messages.slice(dropped)) === JSON.stringify(messages)
    if (messages.length === 0 || dropped < 0 || !same) return 0
    this.#start = start
    this.#messages = messages
    return dropped
  }

  async #read(file: FileHandle, start: number, end: number): Promise<readonly SessionMessage[]> {
    const bytes = await readBytes(file, start, end)
    const whole = bytes.toString('utf8', 0, bytes.lastIndexOf(NEWLINE) + 1) // half a line is left for the next look
    if (start === 0) return this.#parse(whole)
    this.#head ??= await this.#readHead(file, start)
    const messages = await this.#parse(`${this.#head.line}\n${whole}`)
    return messages.slice(this.#head.messageCount)
  }

  async #readHead(file: FileHandle, limit: number): Promise<{ line: string; messageCount: number }> {
    const bytes = await readBytes(file, 0, Math.min(limit, ENOUGH))
    const line = bytes.toString('utf8', 0, Math.max(0, bytes.indexOf(NEWLINE)))
    return { line, messageCount: (await this.#parse(line)).length }
  }

  async #parse(text: string): Promise<readonly SessionMessage[]> {
    return (await this.#store.read(linesOf(text), this.#path)).messages
  }
}

function isSaid({ role, content }: SessionMessage): boolean {
  return role === 'user' && content !== ''
}

async function* linesOf(text: string): AsyncGenerator<string> {
  for (const line of text.split('\n')) if (line !== '') yield line
}

async function readBytes(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.max(0, end - start))
  let length = 0
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, start + length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return buffer.subarray(0, length)
}

/** Where the line after this place begins. */
async function nextLine(file: FileHandle, from: number, size: number): Promise<number> {
  for (let at = from; at < size; at += ENOUGH) {
    const found = (await readBytes(file, at, Math.min(size, at + ENOUGH))).indexOf(NEWLINE)
    if (found >= 0) return at + found + 1
  }
  return size
}
