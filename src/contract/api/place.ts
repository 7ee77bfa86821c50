import { z } from 'zod'

/** A place in the log of changes. `generation` is null in ids of earlier versions, and for clients that only count. */
export interface LogPlace {
  seq: number
  generation: number | null
}

const FORM = /^(\d{1,15})(?:\.(\d{1,6}))?$/

/** `122.473915` reads as a number, too: earlier clients pass it on. Null: it is not an id. */
export function readPlace(text: string): LogPlace | null {
  const [, seq, generation] = FORM.exec(text) ?? []
  if (seq === undefined) return null
  return { seq: Number(seq), generation: generation === undefined ? null : Number(generation) }
}

export const place = z
  .union([z.number(), z.string()])
  .transform((given, context): LogPlace => {
    const read = readPlace(String(given))
    if (read) return read
    context.addIssue({ code: 'custom', message: 'the id of an event, as it came, or a sequence number' })
    return z.NEVER
  })
  .describe('The id of the last event, as it came; a sequence number alone is taken, too')
