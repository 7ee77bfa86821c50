import { LineSplitter } from '../core/lines.ts'

/** Cuts server-sent events: bytes in, the data of each whole event out. Names, ids and comments are left out. */
export class EventStream {
  readonly #lines = new LineSplitter()
  #data: string[] = []

  push(chunk: Uint8Array): string[] {
    const events: string[] = []
    for (const line of this.#lines.push(Buffer.from(chunk))) {
      if (line === '' && this.#data.length > 0) {
        events.push(this.#data.join('\n'))
        this.#data = []
      } else if (line.startsWith('data:')) {
        this.#data.push(line.slice(line.startsWith('data: ') ? 6 : 5))
      }
    }
    return events
  }
}
