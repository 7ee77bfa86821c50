import { findInBytes } from './bytes.ts'
import { findInColumns } from './columns.ts'
import { findEncoded } from './encoded.ts'
import { findForms } from './find-forms.ts'
import { encodingsOf } from './known-values.ts'
import { findWrappedKeys } from './private-key.ts'
import { eachRun } from './runs.ts'
import { findRandomShapes, findRunShapes, findShapes } from './shapes.ts'
import { type Find, merged, type Span } from './spans.ts'
import { concatenated, formDecoded, onOneLine, percentDecoded, seen, unescaped, withoutEntities } from './views.ts'
import { findWrapped } from './wrapped.ts'

/** JSON in JSON in JSON, base64 of it: so many readings within each other. */
const MAX_DEPTH = 4
const SHORTEST = 7

/** Finds these values and all that has the form or the shape of a secret, as it is or encoded. */
export function createFind(known: readonly string[]): Find {
  const values = [...new Set(known.flatMap(encodingsOf))]
  const findIn = (text: string, depth: number): Span[] => {
    const spans: Span[] = []
    findValues(text, values, spans)
    if (text.length < SHORTEST) return spans
    findShapes(text, spans)
    findInRuns(text, depth, spans)
    if (text.includes('\n')) {
      findBrokenValues(text, values, spans)
      findWrappedKeys(text, spans)
      const findJoined = (joined: string) => findInRuns(joined, depth, findRandomShapes(joined))
      findWrapped(text, findJoined, spans)
      const findInColumn = (column: string) => {
        const found = findJoined(column)
        findValues(column, values, found)
        return found
      }
      findInColumns(text, findInColumn, spans)
    }
    if (depth === MAX_DEPTH) return spans
    findInBytes(text, (decoded) => findDecoded(decoded, Math.max(depth + 1, 2)), spans)
    const views = [unescaped(text), percentDecoded(text), formDecoded(text), seen(text)]
    for (const view of [...views, ...withoutEntities(text), ...concatenated(text)]) {
      if (view) spans.push(...findIn(view.text, depth + 1).map(view.back))
    }
    return spans
  }
  const findInRuns = (text: string, depth: number, spans: Span[]): Span[] => {
    const inner = (decoded: string) => findDecoded(decoded, Math.max(depth + 1, 2))
    eachRun(text, (start, end) => {
      findForms(text, start, end, spans)
      findRunShapes(text, start, end, spans)
      if (depth < MAX_DEPTH) findEncoded(text.slice(start, end), start, inner, spans)
    })
    return spans
  }
  /** What was encoded may begin within a word: up to two of its letters may come before a key. */
  const findDecoded = (text: string, depth: number): Span[] => {
    const starts = depth > 2 ? [0] : [0, 1, 2].filter((at) => at === 0 || /[A-Za-z0-9]/.test(text.charAt(at - 1)))
    return starts.flatMap((at) =>
      findIn(text.slice(at), depth).map(({ start, end }) => ({ start: start + at, end: end + at })),
    )
  }
  return (text) => merged(text.length <= LONG ? findIn(text, 0) : findInParts(text, (part) => findIn(part, 0)))
}

/** Longer texts are gone through in parts: other readings of a text take many times its room. */
const LONG = 1 << 20
/** So much is part of both neighbours: no secret is longer. */
const OVERLAP = 16_384

function findInParts(text: string, find: Find): Span[] {
  const spans: Span[] = []
  for (let from = 0; from < text.length; from += LONG) {
    const start = from === 0 ? 0 : endOfWord(text, from - OVERLAP)
    const part = text.slice(start, endOfWord(text, from + LONG))
    for (const span of find(part)) spans.push({ start: start + span.start, end: start + span.end })
  }
  return spans
}

const BETWEEN = /[\s"',;]/

/** A place from this one on between two words, where there is one near. */
function endOfWord(text: string, at: number): number {
  const near = text.slice(at, at + 512).search(BETWEEN)
  return near < 0 ? at : at + near
}

function findValues(text: string, values: readonly string[], spans: Span[]): void {
  for (const value of values) {
    if (value.length > text.length) continue
    for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
      spans.push({ start: at, end: at + value.length })
    }
  }
}

/** Values with line breaks in them that are not their own. */
function findBrokenValues(text: string, values: readonly string[], spans: Span[]): void {
  const line = values.length > 0 ? onOneLine(text) : null
  if (!line) return
  const found: Span[] = []
  findValues(line.text, values, found)
  spans.push(...found.map(line.back))
}
