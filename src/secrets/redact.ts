import { createFind } from './find.ts'
import { entropyOf, isIdentifier, isName, isPath, lengthOfRandomParts } from './plausible.ts'
import { replaceSpans } from './spans.ts'

/** What is put in the place of a secret. */
export const REDACTED = '[redacted]'

/** Takes the secrets out of a text. */
export type Redact = (text: string) => string

interface Rule {
  name: string
  pattern: RegExp
  /** The groups before and after the secret are kept. */
  keeps?: 'before' | 'both'
  /** Whether what the pattern has found is a secret. */
  isSecret?: (found: string) => boolean
}

/** Words in a name by which its value is known for a secret. */
const SECRET_NAME =
  '(?:api[_-]?key|apikey|access[_-]?key|secret|token|passwd|password|passphrase|credential|private[_-]?key|client[_-]?secret|auth[_-]?key)s?'

/** In order: what an earlier rule has taken out is not there for a later one. */
const PROSE_RULES: readonly Rule[] = [
  {
    name: 'assignment to a secret name',
    // `AWS_SECRET_KEY=…`, `"apiKey": "…"`, `password: …`; the name may go on after the word, as it may before.
    pattern: new RegExp(String.raw`(${SECRET_NAME}[\w-]{0,64}\\?["']?\s*[=:]\s*\\?["']?)[^\s"'\\,;)}\]]{6,}`, 'gi'),
    keeps: 'before',
    isSecret: isValue,
  },
  {
    name: 'quoted password',
    pattern: /((?<![A-Za-z0-9])pass(?:word|wd|phrase)\\?["']?\s*[=:]\s*\\?["'])[^"'\\\n]{4,}/gi,
    keeps: 'before',
    isSecret: (found) => !/^[{<$]/.test(assignedIn(found)),
  },
  {
    name: 'long random text',
    pattern: /(?<![A-Za-z0-9+/_=.-]|;base64,|(?:sha|SHA)(?:256|384|512):|\bh1:)[A-Za-z0-9+/_-]{32,}={0,2}/g,
    isSecret: isRandom,
  },
]

function assignedIn(found: string): string {
  return found.replace(/^[^=:]*[=:]\s*\\?["']?/, '')
}

const NUMBER = /^\d[\d_]*(?:\.\d+)?$/
const VERSION = /^[\^~<>=]{0,2}\d+(?:\.\d+)+$/

/** Not a variable, a type, a call or a placeholder. */
function isValue(found: string): boolean {
  const value = assignedIn(found)
  if (VERSION.test(value) || (NUMBER.test(value) && /token/i.test(found.slice(0, -value.length)))) return false
  if (/^(?:\[redacted|\$|process\.env|os\.environ|env\.|import\.meta|<|\{|\*+$|x{3,}|\.\.\.)/i.test(value)) return false
  if (isCode(value) || isPath(value)) return false
  return /[0-9]/.test(value) || /[^A-Za-z_.()-]/.test(value) || (value.length >= 20 && !isName(value))
}

/** A call, an element, a property, an arrow or a type: what stands for a value in a program. */
function isCode(value: string): boolean {
  return /^(?:!?[A-Za-z_$][\w$]*(?:\??\.#?[A-Za-z_$][\w$]*)*(?:\?\.)?[([<`]|[([!]|[A-Za-z_$]\w*(?:\??\.#?[A-Za-z_$]\w*)+$)/.test(
    value,
  )
}

/** A shorter part of a path may be anything. */
const MIN_RANDOM = 20

/** Letters of both cases and digits in no order that words, paths and names have; hashes in hexadecimal are none. */
function isRandom(found: string): boolean {
  if (/^[0-9a-f-]+$/i.test(found) || !/[0-9]/.test(found) || !/[a-z]/.test(found) || !/[A-Z]/.test(found)) return false
  if (/^(?:sha(?:1|256|384|512)-|AAAA[BCE]3NzaC1|AAAAE2VjZHNh)/.test(found) || isIdentifier(found)) return false
  const longestWord = Math.max(...found.split(/[^a-z]+/).map((word) => word.length))
  return longestWord < 9 && entropyOf(found) > 4 && lengthOfRandomParts(found) >= MIN_RANDOM
}

/** Whole, or as far as the text goes: people want to read what comes before and after. */
const PRIVATE_KEY =
  /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)/g

const findPlain = createFind([])

/** Longer texts are gone through in pieces, because a pattern may need room in proportion to what it looks at. */
const PIECE = 65_536
/** So much around a cut is looked at: longer than any key. */
const MARGIN = 8192

/** The text without what looks like a secret. Better one too many than one that stays. */
export function redact(text: string): string {
  if (text.length <= PIECE) return redactPiece(text)
  const pieces: string[] = []
  for (let start = 0; start < text.length; ) {
    const end = cutBetween(text, start, start + PIECE)
    pieces.push(redactPiece(text.slice(start, end)))
    start = end
  }
  return pieces.join('')
}

/** As much more as is looked at when only the start of a text is wanted. */
const AHEAD = 512

/**
 * The same of the first so many characters, or some fewer. A text that was cut first might end with half a secret, which
 * nobody knows for one.
 */
export function redactStart(text: string, length: number): string {
  const isWhole = text.length <= length + AHEAD
  const start = redact(isWhole ? text : text.slice(0, length + AHEAD))
  return (isWhole ? start : start.slice(0, -AHEAD)).slice(0, length)
}

/** Where a text can be parted at `end` or a little before, so that no secret is. */
function cutBetween(text: string, start: number, end: number): number {
  if (end >= text.length) return text.length
  const earliest = end - MARGIN
  const gap = Math.max(text.lastIndexOf('\n', end), text.lastIndexOf(' ', end)) + 1
  let cut = gap > Math.max(start, earliest) ? gap : end
  const from = Math.max(start, cut - MARGIN)
  const around = text.slice(from, cut + MARGIN)
  for (const span of findPlain(around)) {
    const secret = from + (span.from ?? span.start)
    if (secret < cut && from + span.end > cut && secret > start) cut = secret
  }
  for (const pattern of [PRIVATE_KEY, ...PROSE_RULES.map((rule) => rule.pattern)]) {
    for (const { index, 0: found } of around.matchAll(pattern)) {
      const secret = from + index
      if (secret < cut && secret + found.length > cut && secret > start) cut = secret
    }
  }
  return cut
}

function redactPiece(whole: string): string {
  const open = whole.includes('-----BEGIN ') ? whole.replace(PRIVATE_KEY, REDACTED) : whole
  const text = replaceSpans(open, findPlain(open), () => REDACTED)
  return PROSE_RULES.reduce((rest, { pattern, keeps, isSecret = () => true }) => {
    return rest.replace(pattern, (found: string, before: unknown, after: unknown) => {
      if (!isSecret(found)) return found
      const [head, tail] = [keeps && typeof before === 'string' ? before : '', keeps === 'both' ? String(after) : '']
      return `${head}${REDACTED}${tail}`
    })
  }, text)
}
