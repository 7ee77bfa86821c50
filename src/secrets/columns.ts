import type { Find, Span } from './spans.ts'
import { goesOn, namesValue } from './wrapped.ts'

/** Wider lines are joined word by word (see `wrapped.ts`), but for those with a margin. */
const MAX_WIDTH = 40
const MAX_WIDTH_IN_MARGIN = 200
const MIN_WIDTH = 6
/** No word that is worth looking at is shorter. */
const SHORTEST = 10
/** A secret in a column is not longer. */
const MAX_JOINED = 4096
const MAX_OPEN = 1024
/** What may come before each line of a column: quotation marks of mails, signs of comments and changes, numbers. */
const MARGIN = /[ \t]*(?:[>|#*+-][ \t]?|\d{1,6}[\u2192\t:|][ \t]?)?/y

interface Line {
  /** Where the line itself begins, and what is in it without its margin. */
  at: number
  start: number
  end: number
}

/** Lines of one width, and the shorter one that ends them, put together; and the place of each character. */
interface Column {
  text: string
  places: number[]
  lines: readonly Line[]
}

/** What `find` finds in lines that were broken at a width below 40, as on a phone, in a panel or in a table. */
export function findInColumns(text: string, find: Find, spans: Span[]): void {
  for (let line = lineAt(text, 0); line; ) {
    let after = next(text, line)
    for (const { first, margin } of beginnings(text, line)) {
      const lines = columnFrom(text, first, margin)
      const last = lines.at(-1)
      if (last && lines.length > 2) after = lineAt(text, last.at)
      if (lines.length < 2 || !canGoOn(text, lines)) continue
      const column = joined(text, lines)
      for (const span of find(column.text)) add(text, column, span, find, spans)
    }
    line = after
  }
}

/** A text in quotes is a column of its own, also where the quotes are within the first or the last line. */
const QUOTE = /["'`]/

function lineAt(text: string, at: number, margin = ''): Line | null {
  if (at > text.length) return null
  const feed = text.indexOf('\n', at)
  const to = feed < 0 ? text.length : feed
  const end = to > at && text.charAt(to - 1) === '\r' ? to - 1 : to
  return { at, start: Math.min(at + marginAt(text, at, margin), end), end }
}

/** How long the margin of a line is, when it is of the same kind as that of the first. */
function marginAt(text: string, at: number, kind: string): number {
  if (kind === '') return 0
  const own = marginOf(text, at)
  if (kindOf(own) === kindOf(kind)) return own.length
  return text.startsWith(kind, at) ? kind.length : 0
}

function marginOf(text: string, at: number): string {
  MARGIN.lastIndex = at
  return MARGIN.exec(text)?.[0] ?? ''
}

const kindOf = (margin: string) => margin.trim().replace(/\d+/, '0')

function next(text: string, { end }: Line, margin = ''): Line | null {
  const feed = text.indexOf('\n', end)
  return feed < 0 ? null : lineAt(text, feed + 1, margin)
}

const widthOf = ({ start, end }: Line) => end - start

function isWidth(width: number, margin: string): boolean {
  return width >= MIN_WIDTH && width < (margin.trim() === '' ? MAX_WIDTH : MAX_WIDTH_IN_MARGIN)
}

/** The lines from this one on that are as long as it is, and the one after them when that is shorter. */
function columnFrom(text: string, first: Line, margin: string): Line[] {
  const width = widthOf(first)
  const lines = [first]
  if (!isWidth(width, margin)) return lines
  while (lines.length * width < MAX_JOINED) {
    const line = next(text, lines.at(-1) ?? first, margin)
    if (!line || widthOf(line) <= 0) break
    const isLonger = widthOf(line) > width
    const quote = isLonger ? text.slice(line.start, line.start + width + 1).search(QUOTE) : 0
    if (quote < 0) break
    lines.push(isLonger ? { ...line, end: line.start + quote } : line)
    if (widthOf(line) !== width) break
  }
  return lines
}

/** A line as the first of a column: as it is, without its margin, and from its last quote on. */
function beginnings(text: string, line: Line): { first: Line; margin: string }[] {
  const margin = marginOf(text, line.at)
  const own = text.slice(line.at, line.end)
  const quote = Math.max(...['"', "'", '`'].map((one) => own.lastIndexOf(one)))
  return [
    { first: line, margin: '' },
    ...(margin === '' ? [] : [{ first: { ...line, start: Math.min(line.at + margin.length, line.end) }, margin }]),
    ...(quote < 0 ? [] : [{ first: { ...line, start: line.at + quote + 1 }, margin: '' }]),
  ]
}

/** A statement or a setting of its own: what comes before it does not go on there. */
const OWN_LINE = /^(?:export[ \t]+)?["']?[\w.-]{2,}["']?[ \t]{0,4}(?:=|:(?![^\s"'])|\()/

function canGoOn(text: string, lines: readonly Line[]): boolean {
  const [first, second] = lines
  if (!first || !second) return false
  if (lines.length === 2 && OWN_LINE.test(text.slice(second.start, second.end))) return false
  return lines.some((line, i) => i > 0 && isOneWord(text, lines[i - 1] ?? first, line))
}

/** Whether the end of a line and the beginning of the next one may be parts of a secret, or a name and its value. */
function isOneWord(text: string, { start, end }: Line, below: Line): boolean {
  let [from, to] = [end, below.start]
  while (from > start && goesOn(text, from - 1)) from -= 1
  while (to < below.end && goesOn(text, to)) to += 1
  const word = text.slice(from, end) + text.slice(below.start, to)
  return (word.length >= SHORTEST && /\d/.test(word)) || namesValue(text.slice(start, end).trimEnd())
}

function joined(text: string, lines: readonly Line[]): Column {
  const places: number[] = []
  for (const { start, end } of lines) for (let at = start; at < end; at++) places.push(at)
  return { text: lines.map(({ start, end }) => text.slice(start, end)).join(''), places, lines }
}

/** Only what goes over the end of a line, or is identified by something on the line before. */
function add(text: string, column: Column, { start, end, from = start }: Span, find: Find, spans: Span[]): void {
  const { text: joinedText, places, lines } = column
  const [first = 0, last = 0] = [places[from], places[end - 1]]
  const touched = lines.filter((line) => line.end > first && line.start <= last)
  const ending = touched.at(-1)
  if (touched.length < 2 || !ending) return
  // A port at the end of a line is not the beginning of a password.
  if (/^:\d{1,5}[\r\n]/.test(text.slice((places[start] ?? 1) - 1, (places[start] ?? 0) + 6))) return
  // The plain word that may follow a secret on the next line.
  if (touched.length === 2 && /^[A-Za-z]?[a-z]*$/.test(text.slice(ending.start, last + 1))) {
    const above = find(joinedText.slice(0, places.indexOf(ending.start)))
    if (above.some((one) => one.start === start)) return
  }
  spans.push({ start: places[start] ?? 0, end: last + 1 })
}

/** A line of which no more than its margin has come. */
const ONLY_MARGIN = /^\r?\n?[ \t]*(?:[>|#*+-]|\d{1,6}[\u2192\t:|]?)?[ \t]?$/

/** The columns that the end of a text may belong to. */
export function openColumns(text: string): { text: string; placeOf: (at: number) => number }[] {
  const last = text.lastIndexOf('\n') + 1
  if (last === 0 || text.length - last >= MAX_WIDTH_IN_MARGIN) return []
  const starts = [last]
  const width = last - 1 - startOfLine(text, last - 1)
  for (let at = last; at > 0 && text.length - at < MAX_OPEN; ) {
    const start = startOfLine(text, at - 1)
    starts.push(start)
    if (start === 0 || at - 1 - start !== width) break
    at = start
  }
  // The first line of a column is that of its width, or the one before with something else at its beginning.
  return starts
    .slice(1)
    .slice(-2)
    .flatMap((start) => columnsUpToEnd(text, start))
}

function columnsUpToEnd(text: string, start: number): { text: string; placeOf: (at: number) => number }[] {
  const line = lineAt(text, start)
  if (!line) return []
  return beginnings(text, line).flatMap(({ first, margin }) => {
    const lines = columnFrom(text, first, margin)
    const end = lines.at(-1)?.end ?? 0
    const isOpen = end === text.length || ONLY_MARGIN.test(text.slice(end))
    if (!isOpen || !isWidth(widthOf(first), margin)) return []
    const { text: all, places } = joined(text, lines)
    return [{ text: all, placeOf: (at: number) => places[at] ?? text.length }]
  })
}

function startOfLine(text: string, end: number): number {
  return end <= 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1
}
