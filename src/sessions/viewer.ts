import { stat } from 'node:fs/promises'
import { AgentMuxError } from '../contract/errors.ts'
import type { SessionFiles } from '../contract/session-store.ts'
import type { SessionMessage } from '../contract/sessions.ts'

/** A look at the end of a conversation. */
export interface View {
  messages: readonly SessionMessage[]
  /** How many of the messages of the view before are in front of this one. */
  dropped: number
  /** The conversation is another one than at the last look: nothing is left of the view before. */
  isNew: boolean
}

export interface Viewer {
  /** With at least so many turns, at the first look. Null when nothing has changed. Throws when it is gone. */
  look(turns?: number): Promise<View | null>
}

/** A conversation that is read whole whenever a file of it has changed. */
export class WholeView implements Viewer {
  readonly #files: readonly string[]
  readonly #read: () => Promise<{ messages: readonly SessionMessage[] }>
  #stamp = ''

  constructor(files: readonly string[], read: () => Promise<{ messages: readonly SessionMessage[] }>) {
    this.#files = files
    this.#read = read
  }

  async look(): Promise<View | null> {
    const stamps = await Promise.all(this.#files.map(stampOf))
    if (stamps[0] === '') throw new AgentMuxError('SESSION_NOT_FOUND', `${this.#files[0]} is gone`)
    const stamp = stamps.join(' ')
    if (stamp === this.#stamp) return null
    const isNew = this.#stamp === ''
    const { messages } = await this.#read()
    this.#stamp = stamp
    return { messages, dropped: 0, isNew }
  }
}

/** Empty when there is no such file. */
async function stampOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeMs } = await stat(path)
    return `${ino}:${size}:${mtimeMs}`
  } catch {
    return ''
  }
}

/** A log that grows at its end can be read from there. */
export function isLog(path: string, store: SessionFiles): boolean {
  return store.log !== undefined || path.endsWith('.jsonl')
}
