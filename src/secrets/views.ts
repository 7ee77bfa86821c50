import type { Span } from './spans.ts'

/** A text read in another way, and the way back to the places in it as it was written. */
export interface View {
  text: string
  back: (span: Span) => Span
}

type Decode = (match: string, ...groups: string[]) => string

/** Reads each match of the pattern as something else. Null when there is none. */
function viewOf(source: string, pattern: RegExp, decode: Decode): View | null {
  const text = source.replace(pattern, decode)
  if (text.length === source.length) return null
  let places: Int32Array | null = null
  return {
    text,
    back: ({ start, end }) => {
      places ??= placesOf(source, text.length, pattern, decode)
      return { start: places[2 * start] ?? source.length, end: end === 0 ? 0 : (places[2 * end - 1] ?? source.length) }
    },
  }
}

/** For every character of the view where it begins and ends in the source. */
function placesOf(source: string, length: number, pattern: RegExp, decode: Decode): Int32Array {
  const places = new Int32Array(2 * length)
  let [next, at] = [0, 0]
  const add = (start: number, end: number) => {
    places[next++] = start
    places[next++] = end
  }
  source.replace(pattern, (match, ...rest) => {
    const place = rest.findLast((one): one is number => typeof one === 'number') ?? 0
    for (; at < place; at++) add(at, at + 1)
    for (let i = decode(match, ...rest).length; i > 0; i--) add(place, place + match.length)
    at = place + match.length
    return ''
  })
  for (; at < source.length; at++) add(at, at + 1)
  return places
}

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))/g
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** As JSON and most languages read it. */
export function unescaped(text: string): View | null {
  if (!text.includes('\\')) return null
  return viewOf(text, ESCAPE, (_, long, short, one = '') => {
    const code = long ?? short
    return code === undefined ? (ESCAPED[one] ?? one) : String.fromCharCode(Number.parseInt(code, 16))
  })
}

const PERCENT = /%([0-9a-fA-F]{2})/g

/** As written in a URL. */
export function percentDecoded(text: string): View | null {
  if (!text.includes('%')) return null
  return viewOf(text, PERCENT, (_, code = '') => String.fromCharCode(Number.parseInt(code, 16)))
}

const FORM = /%([0-9a-fA-F]{2})|\+/g

/** As written in a submitted form: a plus is a blank. */
export function formDecoded(text: string): View | null {
  if (!text.includes('%') || !text.includes('+')) return null
  return viewOf(text, FORM, (_, code) => (code === undefined ? ' ' : String.fromCharCode(Number.parseInt(code, 16))))
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
const UNSEEN = /\x1b\[[\d;:]{0,32}[mK]|[\u200b-\u200d\u2060\ufeff]/g

/** As it is seen: without colours and without characters that have no width. */
export function seen(text: string): View | null {
  return viewOf(text, UNSEEN, () => '')
}

const LINE_BREAK = /[ \t]*\r?\n[ \t]*/g

/** Without any line breaks. */
export function onOneLine(text: string): View | null {
  return text.includes('\n') ? viewOf(text, LINE_BREAK, () => '') : null
}
