import type { Find, Span } from './spans.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The characters of base64 whose value has this bit not set, as a class. */
function without(bit: number): string {
  const characters = [...ALPHABET].filter((_, value) => (value & bit) === 0)
  return `[${characters.join('').replace('+', '+-').replace('/', '/_').replace('+-', '+\\-')}]`
}

/** Base64 of ASCII: four characters hold three bytes, and in each byte the highest bit is not set. */
const GROUP = `${without(32)}${without(8)}${without(2)}[A-Za-z0-9+/_-]`
const ASCII_IN_BASE64 = new RegExp(`(?:${GROUP}){4,}[A-Za-z0-9+/_-]{0,3}`, 'g')
const HEX = /[0-9a-f]{32,}|[0-9A-F]{32,}/
/** As much of a decoded text can be read. */
const READABLE = /[\t\n\r\x20-\x7e]{11,}/

/** The secrets in those parts of a run of characters that are base64 or hexadecimal. */
export function findEncoded(run: string, at: number, find: Find, spans: Span[]): void {
  if (!/[a-z]/.test(run) || !/[A-Z]/.test(run)) findInHex(run, at, find, spans)
  if (!/[A-Z]/.test(run)) return // in capitals alone it can be base64: `(AKIA…)` often is
  for (const { index, 0: part } of run.matchAll(ASCII_IN_BASE64)) {
    const decoded = Buffer.from(part, 'base64').toString('latin1')
    if (!READABLE.test(decoded)) continue
    for (const { start, end } of find(decoded)) {
      spans.push({ start: at + index + Math.floor((start * 4) / 3), end: at + index + Math.ceil((end * 4) / 3) })
    }
  }
}

function findInHex(run: string, at: number, find: Find, spans: Span[]): void {
  const found = HEX.exec(run)
  if (!found) return
  const { index, 0: hex } = found
  const decoded = Buffer.from(hex, 'hex').toString('latin1')
  if (!READABLE.test(decoded)) return
  for (const { start, end } of find(decoded)) spans.push({ start: at + index + 2 * start, end: at + index + 2 * end })
}
