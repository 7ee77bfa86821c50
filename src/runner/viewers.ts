import type { TerminalSize } from '../contract/launch.ts'
import type { ControlConnection } from './control-server.ts'
import { QueryFilter } from './terminal-queries.ts'

/** Who looks at a terminal. A new viewer gets the screen first, and then all that came after it. */
export class Viewers {
  readonly #filter = new QueryFilter()
  /** What waits for each until it has its screen; null when it has it. */
  readonly #waiting = new Map<ControlConnection, string[] | null>()

  get count(): number {
    return this.#waiting.size
  }

  /** From now on it misses nothing. `release` lets it have what has come meanwhile. */
  add(connection: ControlConnection): { release: () => void } {
    const waiting: string[] = []
    this.#waiting.set(connection, waiting)
    return {
      release: () => {
        if (this.#waiting.get(connection) !== waiting) return
        this.#waiting.set(connection, null)
        if (waiting.length > 0) connection.send({ notice: 'output', data: waiting.join('') })
      },
    }
  }

  remove(connection: ControlConnection): void {
    this.#waiting.delete(connection)
  }

  show(text: string): void {
    const data = this.#filter.push(text)
    if (data === '') return
    for (const [connection, waiting] of this.#waiting) {
      if (waiting) waiting.push(data)
      else connection.send({ notice: 'output', data })
    }
  }

  resized(size: TerminalSize): void {
    for (const connection of this.#waiting.keys()) connection.send({ notice: 'resized', ...size })
  }
}
