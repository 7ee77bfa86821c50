import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { Frame } from './wires/wire.ts'

const decoders: Record<string, (data: Buffer) => Buffer> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}

/** The body as JSON, or as text where it is none. */
export const readBody = async (request: IncomingMessage): Promise<unknown> => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const data = Buffer.concat(parts)
  const decode = decoders[request.headers['content-encoding'] ?? '']
  const text = (decode ? decode(data) : data).toString('utf8')
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export const sendJson = (response: ServerResponse, status: number, body: unknown, headers = {}): void => {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'request-id': 'req_scripted',
    ...headers,
  })
  response.end(text)
}

/** Lets what was written reach the client before the connection breaks. */
const breakConnection = async (response: ServerResponse): Promise<void> => {
  await sleep(20)
  response.socket?.destroy()
}

type Pace = { chunkDelayMs: number; cutAfterChars?: number; cutsCleanly?: boolean }

const encode = ({ event, data }: Frame): string =>
  `${event ? `event: ${event}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`

/** Resolves when the response can take more, or can no longer take anything. */
const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.on('drain', done)
    response.on('close', done)
  })

/** Streams frames as server-sent events; stops when the client goes away, or where the reply is to be cut. */
export const sendEvents = async (response: ServerResponse, frames: Iterable<Frame>, pace: Pace): Promise<void> => {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    'request-id': 'req_scripted',
  })
  let sent = 0
  for (const frame of frames) {
    if (response.destroyed || response.socket?.destroyed) return
    if (!response.write(encode(frame))) await drained(response)
    sent += frame.chars ?? 0
    const isCut = pace.cutAfterChars !== undefined && sent >= pace.cutAfterChars
    if (isCut && pace.cutsCleanly) break
    if (isCut) return breakConnection(response)
    if (pace.chunkDelayMs > 0 && frame.chars) await sleep(pace.chunkDelayMs)
  }
  response.end()
}

/** The first half of a body whose length was promised whole. */
export const sendHalf = async (response: ServerResponse, body: unknown): Promise<void> => {
  const data = Buffer.from(JSON.stringify(body))
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': data.length })
  response.write(data.subarray(0, data.length / 2))
  await breakConnection(response)
}
