import type { AgentEvent } from '../contract/events.ts'
import type { TextStream } from '../contract/run-handle.ts'

/** The text of a run. Reads nothing until it is read from, so that an unused one holds nobody up. */
export function textOf(run: AsyncIterable<AgentEvent>): TextStream {
  const pieces = textPieces(run)
  // Typed by hand: the web stream of Node can be iterated, the type of a browser's cannot say so everywhere.
  const stream = new ReadableStream<string>(
    {
      async pull(controller) {
        const { value, done } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await pieces.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
  return Object.assign(stream, { [Symbol.asyncIterator]: () => iterate(stream) })
}

/** The deltas, or the whole message of an agent that sends none; a blank line between messages. */
async function* textPieces(run: AsyncIterable<AgentEvent>): AsyncGenerator<string, void> {
  let hasText = false
  let inMessage = false
  for await (const event of run) {
    const isWhole = event.type === 'message_stop' && !inMessage
    const piece = event.type === 'text_delta' ? event.delta : isWhole ? event.text : ''
    if (piece !== '') {
      yield hasText && !inMessage ? `\n\n${piece}` : piece
      hasText = true
      inMessage = true
    }
    if (event.type === 'message_stop') inMessage = false
  }
}

async function* iterate(stream: ReadableStream<string>): AsyncGenerator<string, undefined> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel()
    reader.releaseLock()
  }
}
