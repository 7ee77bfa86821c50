import { open, rm, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { LogFile } from '../contract/spawn.ts'
import { LineSplitter } from '../core/lines.ts'
import { matchingFiles } from '../files/matching-files.ts'

const LOOK_MS = 500
/** More at once is not read: a log is a hint, and no reason to hold anything up. */
const MOST_BYTES = 1 << 20

interface LogPort {
  /** Where a path of the manifest's notation is. */
  path(path: string): string
  sessionId(): string | null
  onLines(lines: string[]): void
}

interface Followed {
  offset: number
  isOld: boolean
  splitter: LineSplitter
}

/** Reads what comes to a log file while the agent lives. It never fails a run: what cannot be read says nothing. */
export class LogTail {
  readonly #log: LogFile
  readonly #port: LogPort
  readonly #lines: RegExp
  readonly #files = new Map<string, Followed>()
  #fill: (text: string) => string = (text) => text
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | null = null
  #isClosed = false

  constructor(log: LogFile, port: LogPort) {
    this.#log = log
    this.#port = port
    this.#lines = new RegExp(log.lines)
  }

  /** What is there by now is not of this run. */
  async skip(): Promise<void> {
    for (const file of await this.#paths()) {
      this.#files.set(file, { ...newFile(), offset: await sizeOf(file), isOld: true })
    }
  }

  follow(fill: (text: string) => string): void {
    this.#fill = fill
    this.#timer = setInterval(() => {
      this.#looking ??= this.#look().finally(() => {
        this.#looking = null
      })
    }, LOOK_MS).unref()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#looking
    if (!this.#log.isOurs) return
    const made = [...this.#files].filter(([, { isOld }]) => !isOld)
    await Promise.all(made.map(([file]) => rm(file, { force: true }).catch(() => undefined)))
  }

  async #look(): Promise<void> {
    for (const file of await this.#paths()) {
      const followed = this.#files.get(file) ?? newFile()
      this.#files.set(file, followed)
      const chunk = await readFrom(file, followed.offset).catch(() => null)
      if (chunk === null || this.#isClosed) continue
      followed.offset += chunk.length
      const lines = followed.splitter.push(chunk).filter((line) => this.#lines.test(line))
      if (lines.length > 0) this.#port.onLines(lines)
    }
  }

  async #paths(): Promise<string[]> {
    const session = this.#port.sessionId()
    const named = this.#fill(this.#log.path)
    if (named.includes('{file:') || (session === null && named.includes('{session}'))) return []
    const path = this.#port.path(named.replace('{session}', basename(session ?? '')))
    if (!dirname(path).includes('*')) return matchingFiles(path)
    // In one of many directories: once it is found, the others are not looked through again.
    if (this.#files.size > 0) return [...this.#files.keys()]
    const found = await matchingFiles(path)
    const sizes = await Promise.all(found.map(sizeOf))
    return found.filter((_, at) => (sizes[at] ?? 0) > 0)
  }
}

function newFile(): Followed {
  return { offset: 0, isOld: false, splitter: new LineSplitter({ onOversized: () => {} }) }
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => null))?.size ?? 0
}

/** Null: there is nothing new. */
async function readFrom(file: string, offset: number): Promise<Buffer | null> {
  const size = await sizeOf(file)
  if (size <= offset) return null
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(size - offset, MOST_BYTES)), {
      position: offset,
    })
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}
