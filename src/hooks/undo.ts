import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../core/json.ts'
import { documentFormat } from '../files/documents.ts'
import { removeOurs } from './entries.ts'
import type { JournalEntry } from './journal.ts'
import { undoByContent, undoInPlace } from './text-steps.ts'

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

type Done = Pick<JournalEntry, 'format' | 'steps' | 'after' | 'created' | 'entries'>

/**
 * A user's file without what we put there. Untouched since, it gets its bytes back; else each of our steps is looked
 * for; else what has our mark is taken out. Null: nothing is left, and the file was not there before us.
 */
export async function withoutOurs(text: string, path: string, done: Done): Promise<string | null> {
  const { format, steps, after, created, entries } = done
  if (format === 'own' || format === 'lines') {
    const original = undoByContent(text, steps)
    return original === '' && created ? null : (original ?? text)
  }
  const isAsWeLeft = digest(text) === after
  if (isAsWeLeft) return created ? null : undoInPlace(text, steps)
  const document = documentFormat(format)
  const byMark = await removeOurs(text, format, path, { entries, created })
  const byContent = undoByContent(text, steps)
  const wanted = await document.parse(byMark, path)
  const isSame = byContent !== null && (await means(byContent, wanted, format, path))
  const next = isSame ? byContent : byMark
  return created && isEmptyDocument(await document.parse(next, path)) && isBare(next) ? null : next
}

async function means(text: string, data: unknown, format: 'json' | 'toml' | 'yaml', path: string): Promise<boolean> {
  try {
    const own = await documentFormat(format).parse(text, path)
    return isDeepStrictEqual(withoutEmpty(own ?? {}), withoutEmpty(data ?? {}))
  } catch {
    // The steps overlap with what the user changed.
    return false
  }
}

/** An empty list, table or key that was there before us is not missed by its meaning. */
function withoutEmpty(value: unknown): unknown {
  if (!isRecord(value)) return value
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [key, withoutEmpty(item)])
  return Object.fromEntries(entries.filter(([, item]) => item !== null && !isEmptyDocument(item) && !isEmptyList(item)))
}

function isEmptyDocument(value: unknown): boolean {
  return value === undefined || (isRecord(value) && Object.keys(value).length === 0)
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

/** It contains no comment. */
function isBare(text: string): boolean {
  return /^[\s{}\uFEFF]*$/.test(text)
}
