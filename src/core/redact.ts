/** What is put in the place of a secret. */
export const REDACTED = '[redacted]'

interface Rule {
  name: string
  pattern: RegExp
  /** Where this is not there, neither is the pattern: quicker to tell. */
  needs?: string
  /** The groups before and after the secret are kept. */
  keeps?: 'before' | 'both'
  /** Whether what the pattern has found is a secret. */
  isSecret?: (found: string) => boolean
}

/** Words in a name by which its value is known for a secret. */
const SECRET_NAME =
  '(?:api[_-]?key|apikey|access[_-]?key|secret|token|passwd|password|passphrase|credential|private[_-]?key|client[_-]?secret|auth[_-]?key)s?'

/** Prefixes by which the makers of keys mark them. */
const PREFIXES = [
  'sk-[A-Za-z0-9_-]{16,}',
  '(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}',
  'gh[pousr]_[A-Za-z0-9]{20,}',
  'github_pat_[A-Za-z0-9_]{20,}',
  'glpat-[A-Za-z0-9_-]{16,}',
  'xox[abeoprs]-[A-Za-z0-9-]{10,}',
  '(?:AKIA|ASIA)[A-Z0-9]{16}',
  'AIza[A-Za-z0-9_-]{30,}',
  String.raw`ya29\.[A-Za-z0-9_-]{20,}`,
  'npm_[A-Za-z0-9]{30,}',
  'pypi-[A-Za-z0-9_-]{30,}',
  'hf_[A-Za-z0-9]{20,}',
  'gsk_[A-Za-z0-9]{20,}',
  'xai-[A-Za-z0-9]{20,}',
  'r8_[A-Za-z0-9]{20,}',
  String.raw`SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`,
  'dop_v1_[a-f0-9]{32,}',
  String.raw`eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*`,
]

/** In order: what an earlier rule has taken out is not there for a later one. */
export const REDACTION_RULES: readonly Rule[] = [
  {
    name: 'private key',
    needs: '-----BEGIN ',
    pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  },
  { name: 'key with a known prefix', pattern: new RegExp(`(?<![A-Za-z0-9])(?:${PREFIXES.join('|')})`, 'g') },
  { name: 'bearer token', pattern: /(\b(?:bearer|basic)\s+)[A-Za-z0-9._~+/-]{12,}=*/gi, keeps: 'before' },
  {
    name: 'password in an address',
    needs: '://',
    pattern: /(\b[a-z][a-z0-9+.-]{0,32}:\/\/[^\s/:@'"\\]{0,256}:)[^\s/@'"\\]{1,256}(@)/gi,
    keeps: 'both',
  },
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
  },
  { name: 'long random text', pattern: /(?<![A-Za-z0-9+/_=.-])[A-Za-z0-9+/_-]{32,}={0,2}/g, isSecret: isRandom },
]

/** Not a variable, a type, a call or a word that stands for a value. */
function isValue(found: string): boolean {
  const value = found.replace(/^[^=:]*[=:]\s*\\?["']?/, '')
  if (/^\d+$/.test(value) && /tokens?\W*$/i.test(found.slice(0, -value.length))) return false
  if (/^(?:\$|process\.env|os\.environ|env\.|import\.meta|<|\{|\*+$|x{3,}|\.\.\.)/i.test(value)) return false
  return /[0-9]/.test(value) || /[^A-Za-z_.()-]/.test(value) || value.length >= 20
}

/** Letters of both cases and digits in no order that words, paths and names have; hashes in hexadecimal are none. */
function isRandom(found: string): boolean {
  if (/^[0-9a-f-]+$/i.test(found) || !/[0-9]/.test(found) || !/[a-z]/.test(found) || !/[A-Z]/.test(found)) return false
  const longestWord = Math.max(...found.split(/[^a-z]+/).map((word) => word.length))
  return longestWord < 9 && entropy(found) > 4
}

/** Bits in a character. */
function entropy(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

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
  for (const { pattern } of REDACTION_RULES) {
    for (const { index, 0: found } of around.matchAll(pattern)) {
      const secret = from + index
      if (secret < cut && secret + found.length > cut && secret > start) cut = secret
    }
  }
  return cut
}

function redactPiece(text: string): string {
  return REDACTION_RULES.reduce((rest, { pattern, needs, keeps, isSecret = () => true }) => {
    if (needs !== undefined && !rest.includes(needs)) return rest
    return rest.replace(pattern, (found: string, before: unknown, after: unknown) => {
      if (!isSecret(found)) return found
      const [head, tail] = [keeps && typeof before === 'string' ? before : '', keeps === 'both' ? String(after) : '']
      return `${head}${REDACTED}${tail}`
    })
  }, text)
}
