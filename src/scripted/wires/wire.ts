import type { Answer } from '../answer.ts'
import type { Conversation } from '../conversation.ts'
import type { FailureKind } from '../types.ts'

/** One server-sent event. `chars` counts the model's characters in it: pauses and cuts go by those. */
export type Frame = { event?: string; data: unknown; chars?: number }

/** `frames`, where present, are sent instead on a streaming request: some failures arrive inside a stream. */
export type Failure = { status: number; headers?: Record<string, string>; body: unknown; frames?: Frame[] }

/** A model API as a value: how to read its requests and how to write its replies. It knows no scenario and no socket. */
export type Wire = {
  read(body: unknown, path: string): Conversation
  stream(answer: Answer, model: string): Iterable<Frame>
  complete(answer: Answer, model: string): unknown
  failure(kind: FailureKind, model: string): Failure
  countTokens?(): unknown
}

/** The text in pieces of `size` characters; never splits a surrogate pair, which would not survive UTF-8. */
export const chunksOf = (text: string, size: number): string[] => {
  const characters = size >= text.length ? [] : Array.from(text)
  if (characters.length === 0) return text === '' ? [] : [text]
  const chunks: string[] = []
  for (let start = 0; start < characters.length; start += size)
    chunks.push(characters.slice(start, start + size).join(''))
  return chunks
}
