import { findEncoded } from './encoded.ts'
import { findForms } from './find-forms.ts'
import { encodingsOf } from './known-values.ts'
import { findWrappedKeys } from './private-key.ts'
import { eachRun } from './runs.ts'
import { findRandomShapes, findRunShapes, findShapes } from './shapes.ts'
import { type Find, merged, type Span } from './spans.ts'
import { formDecoded, onOneLine, percentDecoded, seen, unescaped } from './views.ts'
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
      findWrapped(text, (joined) => findInRuns(joined, depth, findRandomShapes(joined)), spans)
    }
    if (depth === MAX_DEPTH) return spans
    for (const view of [unescaped(text), percentDecoded(text), formDecoded(text), seen(text)]) {
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
  return (text) => merged(findIn(text, 0))
}

function findValues(text: string, values: readonly string[], spans: Span[]): void {
  for (const value of values) {
    if (value.length > text.length) continue
    for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
      spans.push({ start: at, end: at + value.length })
    }
  }
}

const PART = 4

/** Values with line breaks in them that are not their own. One of their ends is whole. */
function findBrokenValues(text: string, values: readonly string[], spans: Span[]): void {
  const candidates = values.filter((one) => text.includes(one.slice(0, PART)) || text.includes(one.slice(-PART)))
  const line = candidates.length > 0 ? onOneLine(text) : null
  if (!line) return
  const found: Span[] = []
  findValues(line.text, candidates, found)
  spans.push(...found.map(line.back))
}
