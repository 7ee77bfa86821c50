import { hasAllKinds } from './plausible.ts'
import { isInRun } from './runs.ts'
import type { Find, Span } from './spans.ts'

/** A line is not broken for its width before this. */
const MIN_WIDTH = 40
/**
 * Unless it is one word, as of a key alone or of base64 in a narrow column, or the first word of a quoted text, as in JSON.
 * Not the line of a file of variables.
 */
const ONE_WORD = /^(?:.*["'`])?[ \t]*[\w+/.~-]{15,}\S={0,2}[ \t\r]*$/
const MAX_BEFORE = 512
/** So much of the line before the word is looked at: names, by which a secret is known. */
const MAX_LEAD = 160
/** A secret that was wrapped is not longer. */
const MAX_JOINED = 65_536

/** A word that goes on over line breaks, and the place of each of its characters in the text. */
interface Joined {
  text: string
  places: number[]
  /** The word is long enough and not of small letters alone. */
  isWorthLooking: boolean
}

interface Line {
  start: number
  end: number
}

/** What `find` finds in words that go on over the end of a line that is as long as a width. */
export function findWrapped(text: string, find: Find, spans: Span[]): void {
  for (let end = text.indexOf('\n'); end !== -1; ) {
    let last = end
    for (const joined of joinsAt(text, end)) {
      if (joined.isWorthLooking) for (const span of find(joined.text)) add(text, joined, span, find, spans)
      last = Math.max(last, joined.places.at(-1) ?? end)
    }
    end = text.indexOf('\n', last + 1)
  }
}

/** Whether a secret can go on over a line break that is beside this character. */
export function goesOn(text: string, at: number): boolean {
  return isInRun(text, at) || isBetweenParts(text.charCodeAt(at))
}

/** In addresses: `:`, `@` and `%`. */
function isBetweenParts(code: number): boolean {
  return code === 58 || code === 64 || code === 37
}

/** The line that ends with this break: where it begins, and where its text ends. Null when it is too short to be full. */
export function fullLineAt(text: string, lineBreak: number): Line | null {
  let end = lineBreak
  while (end > 0 && isBlank(text, end - 1)) end -= 1
  if (!goesOn(text, end - 1)) return null
  const start = text.lastIndexOf('\n', lineBreak - 1) + 1
  return isFull(text, start, lineBreak) ? { start, end } : null
}

/** Whether a line from here to there is as long as a width. */
export function isFull(text: string, start: number, end: number): boolean {
  if (end - start >= MIN_WIDTH) return true
  return end - start >= 16 && ONE_WORD.test(text.slice(start, end))
}

const NAMES_VALUE =
  /(?:bearer|basic|ssws|token|cookie|authorization|password|passwd|passphrase|secret|key|credentials?|pass|pwd)["'`]?[ \t]{0,4}[:=]?$/i

/** No name is longer, with what may stand between it and its value. */
const NAME_LENGTH = 24

/** Whether the text up to this place ends with a word after which a secret may follow. */
export function namesValue(text: string): boolean {
  return NAMES_VALUE.test(text.slice(-NAME_LENGTH))
}

/** The line goes on with the next one; where its last word is a name, that may have been a word of its own. */
function joinsAt(text: string, firstBreak: number): Joined[] {
  const line = fullLineAt(text, firstBreak)
  if (!line || !goesOn(text, textAt(text, firstBreak + 1))) return []
  const isWhole = isAfterBlank(text, firstBreak)
  const joins = isWhole ? [] : [joinedAt(text, firstBreak, line, false)]
  if (namesValue(text.slice(line.start, line.end))) joins.push(joinedAt(text, firstBreak, line, true))
  return joins.filter((joined) => joined !== null)
}

function isAfterBlank(text: string, lineBreak: number): boolean {
  const before = text.charAt(lineBreak - 1) === '\r' ? lineBreak - 2 : lineBreak - 1
  return text.charAt(before) === ' ' || text.charAt(before) === '\t'
}

const BEFORE_VALUE = /["'`]?[ \t]{0,4}[:=]?[ \t]{0,4}["'`]?/y

function joinedAt(text: string, firstBreak: number, line: Line, isSpaced: boolean): Joined | null {
  let { start: lineStart, end } = line
  const firstEnd = end
  let start = end
  while (start > 0 && end - start < MAX_BEFORE && goesOn(text, start - 1)) start -= 1
  const places: number[] = []
  for (let at = Math.max(lineStart, start - MAX_LEAD); at < end; at++) places.push(at)
  const ownLength = places.length
  let joined = text.slice(places[0], end)
  const take = (from: number, to: number) => {
    for (let at = from; at < to; at++) places.push(at)
    joined += text.slice(from, to)
  }
  if (isSpaced) {
    places.push(firstBreak)
    joined += ' '
  }
  for (let next = firstBreak; places.length < MAX_JOINED; ) {
    if (!isFull(text, lineStart, next) || text.charAt(next) !== '\n') break
    lineStart = next + 1
    const from = textAt(text, lineStart)
    end = endOfWord(text, from)
    if (end === from) break
    take(from, end)
    // Not of all that is joined, which is made of many pieces: to look at its end puts them together each time.
    if (namesValue(end - from < NAME_LENGTH ? joined : text.slice(end - NAME_LENGTH, end))) {
      BEFORE_VALUE.lastIndex = end
      BEFORE_VALUE.test(text)
      const value = endOfWord(text, BEFORE_VALUE.lastIndex)
      take(end, value)
      end = value
    }
    next = text.charAt(end) === '\r' ? end + 1 : end
  }
  if (places.length === ownLength) return null
  const word = joined.slice(ownLength - (firstEnd - start))
  return { text: joined, places, isWorthLooking: word.length >= 16 && /[A-Z\d]/.test(word) }
}

function endOfWord(text: string, from: number): number {
  let at = from
  while (at < text.length && goesOn(text, at)) at += 1
  return at
}

function isBlank(text: string, at: number): boolean {
  const character = text.charAt(at)
  return character === ' ' || character === '\t' || character === '\r'
}

/** The first place from this one on that is not blank. */
function textAt(text: string, from: number): number {
  let at = from
  while (text.charAt(at) === ' ' || text.charAt(at) === '\t') at += 1
  return at
}

/** In base64 the sign that ends a secret is not seen. */
function isEncoded(secret: string): boolean {
  return secret.length >= 16 && hasAllKinds(secret)
}

/** Only what goes over a line break; and not the plain word that may follow a secret on the next line. */
function add(text: string, joined: Joined, { start, end }: Span, find: Find, spans: Span[]): void {
  const { places } = joined
  const from = places[start] ?? 0
  let upTo = end
  while (upTo > start + 1) {
    const line = text.lastIndexOf('\n', places[upTo - 1])
    // On one line: it was found there, unless what identifies it is on the line before or begins the next one.
    if (line < from) {
      const goesOnBelow = places[upTo] !== undefined && places[upTo] !== (places[upTo - 1] ?? 0) + 1
      const isBeforeSign =
        goesOnBelow && (joined.text.charAt(upTo) === '@' || isEncoded(joined.text.slice(start, upTo)))
      if (!isBeforeSign && !/\n/.test(text.slice(places[0], from))) return
      break
    }
    const first = places.findIndex((place) => place > line)
    if (!/^[A-Za-z]?[a-z]*$/.test(text.slice(places[first], (places[upTo - 1] ?? 0) + 1))) break
    if (!find(joined.text.slice(0, first)).some((shorter) => shorter.start === start)) break
    upTo = first
  }
  spans.push({ start: from, end: (places[upTo - 1] ?? from) + 1 })
}
