import { createReadStream } from 'node:fs'
import { LineSplitter } from '../core/lines.ts'

/** Each piece is a round through the thread pool, which costs more than the bytes. */
const PIECE = 512 << 10

/**
 * The lines of a file as they are read, also the last one when no newline ends it. Transcripts reach hundreds of
 * megabytes, so nothing but the current chunk is held. A file that cannot be read throws on the first step.
 */
export async function* readLines(filePath: string): AsyncGenerator<string, void, undefined> {
  const splitter = new LineSplitter()
  for await (const chunk of createReadStream(filePath, { highWaterMark: PIECE })) yield* splitter.push(chunk)
  const last = splitter.flush()
  if (last !== null) yield last
}
