import { maskOf } from './mask.ts'
import type { Span } from './spans.ts'
import { onOneLine } from './views.ts'

const NAME = '[A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----'
/**
 * What can appear in a key, as it is and as JSON writes it, and before its lines where a program shows a file: numbers,
 * arrows, quotation marks of mails. Never what would end the text that it is in.
 */
const INSIDE = String.raw`(?:[A-Za-z0-9+/=\s:,._>|#*\u2192]|\\[nrt\\]|-(?!----))`
export const GAP = String.raw`(?:\s|\\[nrt\\]|[>|#*\u2192]|\d{1,5}[\u2192\t:|])`

/** A private key as people keep them (PEM), whole or as far as it goes; without the dashes, which may be anything. */
export const PRIVATE_KEY = new RegExp(
  `(?<=---)BEGIN ${NAME}(?:${INSIDE}*-----END ${NAME}|(?:${GAP}*[A-Za-z0-9+/=]{16,})+)`,
  'g',
)

const FLAT_NAME = NAME.replaceAll('E K', 'E ?K')
/** A whole one in a text that was wrapped at a width wherever that was, and put together again. */
const WRAPPED_KEY = new RegExp(`(?<=---)BEGIN ?${FLAT_NAME}${INSIDE}*-----END ?${FLAT_NAME}`, 'g')

/** The private keys in a text, of which each line may end within a word or an escape. */
export function findWrappedKeys(text: string, spans: Span[]): void {
  const line = text.includes('-----') ? onOneLine(text) : null
  for (const { index, 0: key } of line?.text.matchAll(WRAPPED_KEY) ?? []) {
    if (line) spans.push(line.back({ start: index, end: index + key.length }))
  }
}

const DASHES = '---'
const HEAD = 'BEGIN '
const LAST = String.raw`(?:\\|-{0,5}|-----[A-Z ]{0,60}-{0,4})`
/** Its name, too, may go on over the end of a line. */
const OPEN = new RegExp(`^${HEAD}[A-Z\\s]{0,60}(?:-{0,4}|-----${INSIDE}*${LAST})$`)

const PUTTY = 'Private-Lines:'
const OPEN_PUTTY = /^Private-Lines:[A-Za-z0-9+/=\s:|>#*\u2192\\]*$/

/** Where a key begins that this text does not end; the length of the text when there is none. */
export function openKeyAt(text: string): number {
  const place = openAt(text)
  const line = place === text.length && text.includes('BEGIN') ? onOneLine(text) : null
  const at = line ? openAt(line.text) : 0
  // Wrapped within its name or its dashes.
  return line && at < line.text.length ? line.back({ start: at, end: at }).start : place
}

function openAt(text: string): number {
  const dashes = text.lastIndexOf(DASHES + HEAD)
  const begin = dashes + DASHES.length
  if (dashes >= 0 && OPEN.test(text.slice(begin))) return begin
  const putty = text.lastIndexOf(PUTTY)
  if (putty >= 0 && OPEN_PUTTY.test(text.slice(putty))) return putty
  for (let length = HEAD.length - 1; length > 0; length--) {
    if (text.endsWith(DASHES + HEAD.slice(0, length))) return text.length - length
  }
  return text.length
}

const FIRST_LINE = new RegExp(`-----BEGIN ${NAME}\\s*$`)
const MIDDLE_LINE = /^[A-Za-z0-9+/=\s:,._>|#*\u2192-]*$/
const LAST_LINE = new RegExp(`-----END ${NAME}`)
const MAX_LINES = 200

/** Masks private keys that come line by line, as plain text. */
export class KeyLines {
  #left = 0

  take(line: string): string {
    const isInside = this.#left > 0 && MIDDLE_LINE.test(line)
    if (!isInside) {
      this.#left = FIRST_LINE.test(line) ? MAX_LINES : 0
      return line
    }
    this.#left = LAST_LINE.test(line) ? 0 : this.#left - 1
    return maskOf(line)
  }
}
