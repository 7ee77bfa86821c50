import type { LogPlace } from '../../contract/api/place.ts'
import type { ChangeFeed } from '../change-feed.ts'

export interface StreamOptions {
  after: LogPlace
  sessionId?: string
  /** How long a reader may take nothing before it is let go. It comes back with its place and has missed nothing. */
  stallMs?: number
  heartbeatMs?: number
  /** The daemon is ending. */
  signal: AbortSignal
}

const encoder = new TextEncoder()
const HEARTBEAT = encoder.encode(': still here\n\n')

/**
 * The feed as server-sent events. Nothing is made before the reader takes it, so that a slow one costs one page of
 * memory; one that takes nothing at all is disconnected.
 */
export function eventStream(feed: ChangeFeed, options: StreamOptions): ReadableStream<Uint8Array> {
  const { sessionId, signal, stallMs = 30_000, heartbeatMs = 15_000 } = options
  const first = feed.begin(options.after, sessionId)
  let place = first?.last ?? options.after.seq
  /** Since when the reader has not taken what is there for it; Infinity: it waits for us. */
  let fullSince = Date.now()
  let watch: NodeJS.Timeout | undefined
  let onAbort = () => {}
  const stop = () => {
    clearInterval(watch)
    signal.removeEventListener('abort', onAbort)
  }
  /** Empty after a silence of `heartbeatMs`. */
  const nextPage = async (): Promise<string> => {
    const deadline = Date.now() + heartbeatMs
    for (;;) {
      const { text, last } = feed.read(place, sessionId)
      place = last
      const left = deadline - Date.now()
      if (text !== '' || left <= 0 || signal.aborted) return text
      await feed.grown(left)
    }
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        onAbort = () => {
          stop()
          controller.close()
        }
        signal.addEventListener('abort', onAbort)
        // Its place before the first change, so that who is cut off before that comes back to where it was.
        controller.enqueue(encoder.encode(`: agent-mux\nretry: 500\nid: ${feed.idOf(place)}\n\n${first?.text ?? ''}`))
        watch = setInterval(() => {
          if (Date.now() - fullSince < stallMs) return
          stop()
          controller.error(new Error('the reader takes nothing'))
        }, stallMs / 4)
      },
      async pull(controller) {
        fullSince = Number.POSITIVE_INFINITY
        const text = await nextPage()
        fullSince = Date.now()
        if (!signal.aborted) controller.enqueue(text === '' ? HEARTBEAT : encoder.encode(text))
      },
      cancel: stop,
    },
    { highWaterMark: 1 },
  )
}
