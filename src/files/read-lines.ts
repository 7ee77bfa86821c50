import { createReadStream } from 'node:fs'
import { LineSplitter } from '../core/lines.ts'

/**
 * The lines of a file as they are read, also the last one when no newline ends it. Transcripts reach hundreds of
 * megabytes, so nothing but the current chunk is held. A file that cannot be read throws on the first step.
 */
export async function* readLines(filePath: string): AsyncGenerator<string, void, undefined> {
  const splitter = new LineSplitter()
  for await (const chunk of createReadStream(filePath)) yield* splitter.push(chunk)
  const last = splitter.flush()
  if (last !== null) yield last
}
