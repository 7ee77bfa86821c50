import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { AppendFile } from './append-file.ts'

const SEGMENT_BYTES = 1024 * 1024
const MAX_SEGMENTS = 16

/** What a terminal has shown, as it came: the last part of it, in numbered segments of which the oldest are removed. */
export class TerminalLog {
  readonly #directory: string
  #number = 1
  #segment: AppendFile

  constructor(directory: string) {
    this.#directory = directory
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    this.#segment = this.#open()
  }

  append(text: string): void {
    if (this.#segment.size > SEGMENT_BYTES) this.#rotate()
    this.#segment.append(text)
  }

  close(): void {
    this.#segment.close()
  }

  #rotate(): void {
    this.#segment.close()
    this.#number += 1
    this.#segment = this.#open()
    const names = readdirSync(this.#directory).sort()
    for (const name of names.slice(0, -MAX_SEGMENTS)) rmSync(join(this.#directory, name), { force: true })
  }

  #open(): AppendFile {
    return new AppendFile(join(this.#directory, `${String(this.#number).padStart(6, '0')}.log`))
  }
}
