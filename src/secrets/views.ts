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

/** So much around a match is read with it. */
const AROUND = 512

/** The same, of what is around the matches alone: where there are few, the rest need not be gone through again. */
function viewsAround(source: string, pattern: RegExp, decode: Decode): View[] {
  const parts: Span[] = []
  for (const { index, 0: match } of source.matchAll(pattern)) {
    const last = parts.at(-1)
    const end = index + match.length + AROUND
    if (last && index - AROUND <= last.end) last.end = end
    else parts.push({ start: wordAt(source, index - AROUND), end })
  }
  return parts.flatMap(({ start: from, end: to }) => {
    const view = viewOf(source.slice(from, to), pattern, decode)
    if (!view) return []
    const back = (span: Span) => {
      const { start, end } = view.back(span)
      return { start: from + start, end: from + end }
    }
    return [{ text: view.text, back }]
  })
}

/** The first place from this one on at which a word begins. */
function wordAt(text: string, from: number): number {
  if (from <= 0) return 0
  const blank = /\s/g
  blank.lastIndex = from
  const found = blank.exec(text)
  return found && found.index < from + AROUND / 2 ? found.index : from
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

const ESCAPE =
  /\\(?:u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|x([0-9a-fA-F]{2})|([0-3][0-7]{2})|(\r?\n[ \t]*)|([\s\S]))/g
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** As JSON and most languages read it: a backslash at the end of a line joins it with the next one. */
export function unescaped(text: string): View | null {
  if (!text.includes('\\')) return null
  return viewOf(text, ESCAPE, (_, long, braced, short, octal, lineBreak, one = '') => {
    const code = long ?? braced ?? short
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
    return lineBreak === undefined ? (ESCAPED[one] ?? one) : ''
  })
}

const ENTITY = /&(?:#(\d{2,6})|#[xX]([0-9a-fA-F]{1,6})|(quot|apos|amp|lt|gt|colon|equals|sol|commat|num|nbsp));/g
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ quot: '"', apos: "'", amp: '&', lt: '<', gt: '>', colon: ':' },
  ...{ equals: '=', sol: '/', commat: '@', num: '#', nbsp: ' ' },
}

/** As a browser reads HTML and XML. */
export function withoutEntities(text: string): View[] {
  if (!text.includes('&')) return []
  return viewsAround(text, ENTITY, (_, decimal, hex, name = '') => {
    if (decimal === undefined && hex === undefined) return ENTITIES[name] ?? ''
    return String.fromCharCode(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal))
  })
}

/** `"a" + "b"`, `'a' . 'b'`, and strings that follow each other, as C and Python join them. */
const JOIN =
  /(["'`])[ \t]{0,8}(?:(?:[+.]|\.\.|\\)[ \t]{0,8}\r?(?:\n[ \t]{0,80})?|\r?\n[ \t]{0,80}(?:[+.][ \t]{0,8})?)\1/g

/** As a program joins the parts of a text. */
export function concatenated(text: string): View[] {
  return viewsAround(text, JOIN, () => '')
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
const UNSEEN = /\x1b\[[\d;:]{0,32}[mK]|[\0\x0e\x0f\x7f\u00ad\u200b-\u200f\u2060\ufeff]/g

/** As it is seen: without colours and without characters that have no width, as the zeros of UTF-16. */
export function seen(text: string): View | null {
  return viewOf(text, UNSEEN, () => '')
}

const LINE_BREAK = /[ \t]*\r?\n[ \t]*/g

/** Without any line breaks. */
export function onOneLine(text: string): View | null {
  return text.includes('\n') ? viewOf(text, LINE_BREAK, () => '') : null
}
