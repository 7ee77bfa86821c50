import type { Find, Span } from './spans.ts'

/** One byte of a text that is shown as numbers, and each place where it is shown. */
interface Byte {
  code: number
  places: Span[]
}

/** `73 6b 2d`, `73:6b:2d`, `0x73, 0x6b`; and `[115, 107, 45]`, as a buffer is written in JSON. */
const HEX_LIST = /[0-9a-fA-F]{2}(?:(?:[ :-]|,\s{0,40})(?:0x)?[0-9a-fA-F]{2}){7,}(?!\w)/g
const DECIMAL_LIST = /\d{2,3}(?:,\s{0,40}\d{1,3}){7,}(?!\w)/g
/** A row of `xxd`, `hexdump -C` or `od`: an offset, the bytes, and for the first two the same as text. */
const ROW =
  /^[ \t]*[0-9a-fA-F]{6,16}:?[ \t]{1,3}((?:[0-9a-fA-F]{2}(?![^\s|])[ \t]{0,2}){1,32}|(?:[0-9a-fA-F]{2}){2,16}(?: (?:[0-9a-fA-F]{2}){1,16}(?!\S)){0,15})(.*)$/
/** As much of the end is looked at when a list or dump may go on. */
const MAX_OPEN = 2048

/** The secrets in bytes that are shown as numbers. */
export function findInBytes(text: string, find: Find, spans: Span[]): void {
  for (const { index, 0: list } of text.matchAll(HEX_LIST)) {
    search(bytesOf(list, index, /(?:0x)?([0-9a-fA-F]{2})/g, 16), find, spans)
  }
  if (text.includes(',')) {
    for (const { index, 0: list } of text.matchAll(DECIMAL_LIST)) {
      search(bytesOf(list, index, /(\d{1,3})/g, 10), find, spans)
    }
  }
  if (/(?:^|\n)[ \t]*[0-9a-fA-F]{6,16}:?[ \t]/.test(text)) findInDump(text, find, spans)
}

function bytesOf(list: string, at: number, one: RegExp, base: number): Byte[] {
  return [...list.matchAll(one)].map(({ index, 0: whole, 1: digits = '' }) => ({
    code: Number.parseInt(digits, base),
    places: [{ start: at + index, end: at + index + whole.length }],
  }))
}

function search(bytes: readonly Byte[], find: Find, spans: Span[]): void {
  const decoded = bytes.map(({ code }) => String.fromCharCode(code)).join('')
  for (const { start, end } of find(decoded)) {
    const places = bytes.slice(start, end).flatMap((byte) => byte.places)
    // One for all of them, though rows of a dump have more between: no part of it may be written without the rest.
    spans.push({ start: Math.min(...places.map((one) => one.start)), end: Math.max(...places.map((one) => one.end)) })
  }
}

function findInDump(text: string, find: Find, spans: Span[]): void {
  let bytes: Byte[] = []
  let at = 0
  for (const line of text.split('\n')) {
    const row = rowAt(line, at)
    if (!row) {
      search(bytes, find, spans)
      bytes = []
    } else bytes.push(...row)
    at += line.length + 1
  }
  search(bytes, find, spans)
}

function rowAt(source: string, at: number): Byte[] | null {
  const line = source.replace(/[\r|]+$/, '')
  const [row, hex = '', shown = ''] = ROW.exec(line) ?? []
  if (row === undefined) return null
  const bytes = bytesOf(hex, at + line.length - shown.length - hex.length, /([0-9a-fA-F]{2})/g, 16)
  if (shown.trim().length < 2 && bytes.length > 1) return bytes
  const first = at + line.length - bytes.length
  for (const [i, { places }] of bytes.entries()) places.push({ start: first + i, end: first + i + 1 })
  return bytes
}

const OPEN_LIST = /(?<![\w.])(?:(?:0x)?[0-9a-fA-F]{2,3}(?:[ :-]|,\s{0,40})){2,}(?:0x?)?[0-9a-fA-F]{0,3}$/
const OPEN_ROW = /^[ \t]*[0-9a-fA-F]{6,16}(?::|$|[ \t])/

/** Where a list or a dump of bytes begins that goes on up to the end; the length of the text when there is none. */
export function openBytesAt(text: string): number {
  const from = Math.max(0, text.length - MAX_OPEN)
  const tail = text.slice(from)
  let place = text.length
  let words = tail.length
  while (words > 0 && /[0-9a-fA-Fx :,\s-]/.test(tail.charAt(words - 1))) words -= 1
  const list = tail.slice(words).search(OPEN_LIST)
  if (list >= 0) place = from + words + list
  return Math.min(place, from + openRowAt(tail))
}

/** Where the rows begin that the last line, which may be part of one, belongs to. */
function openRowAt(text: string): number {
  let start = text.lastIndexOf('\n') + 1
  const isRow = OPEN_ROW.test(text.slice(start))
  if (!isRow && !/^[ \t]*[0-9a-fA-F]{0,16}$/.test(text.slice(start))) return text.length
  let rows = isRow ? 1 : 0
  for (; start > 0; rows++) {
    const above = text.lastIndexOf('\n', start - 2) + 1
    if (above >= start || !OPEN_ROW.test(text.slice(above, start - 1))) break
    start = above
  }
  return rows === 0 ? text.length : start
}
