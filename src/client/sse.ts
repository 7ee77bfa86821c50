/** One server-sent event. */
export interface ServerEvent {
  id: string
  event: string
  data: string
}

/** Reads server-sent events from text that comes in pieces. LF only, which is all that the daemon sends. */
export class ServerEventReader {
  #rest = ''
  #lastId: string | undefined

  /** The newest id, which may have come without an event: a new connection gets its position first. */
  get lastId(): string | undefined {
    return this.#lastId
  }

  /** The events that this piece completes. */
  push(piece: string): ServerEvent[] {
    const text = this.#rest + piece
    const end = text.lastIndexOf('\n\n')
    if (end < 0) {
      this.#rest = text
      return []
    }
    this.#rest = text.slice(end + 2)
    const blocks = text.slice(0, end).split('\n\n').map(readBlock)
    this.#lastId = blocks.findLast(({ id }) => id !== '')?.id ?? this.#lastId
    // Comments keep the connection open and mean nothing.
    return blocks.filter(({ data }) => data !== '')
  }
}

function readBlock(block: string): ServerEvent {
  const event: ServerEvent = { id: '', event: 'message', data: '' }
  for (const line of block.split('\n')) {
    const colon = line.indexOf(': ')
    const name = line.slice(0, colon)
    const value = line.slice(colon + 2)
    if (name === 'id') event.id = value
    else if (name === 'event') event.event = value
    else if (name === 'data') event.data += event.data === '' ? value : `\n${value}`
  }
  return event
}
