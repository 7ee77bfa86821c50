/** A word of a language: letters, of which only the first may be a capital, and not very many. */
export function isWord(text: string): boolean {
  return text.length < 16 && /^[A-Za-z]?[a-z]*$/.test(text)
}

const STANDS_FOR_A_VALUE =
  /^(?:[<{]|\$(?:[a-z_]+$|[A-Z_][A-Z_0-9]*$|[({\d])|%\w+%$|[*#@!%$]+$|@\w+$|[#!]\[|\.\.\.|x{3,}|process\.|os\.|env\.|import\.|this(?:\$\d)*\.|self\.|config\.|your|my[-_]|example|test$|true$|false$|null|undefined|none|string|number|boolean|required|optional|password|passwd|pass$|pwd$|secret$|token$|changeme|redacted|\[redacted)/i

/** A variable, a call, a type, or a placeholder. */
export function isPlaceholder(value: string): boolean {
  return STANDS_FOR_A_VALUE.test(value) || /[<>{}]|\$[({]|\.\.\.$/.test(value)
}

/** `a.b.c`, `some_name`, `a-b`: how programs and files name things. */
export function isName(value: string): boolean {
  return value
    .split(/[-_.:/?!*]+/)
    .every(
      (part) =>
        /^(?:[A-Za-z]?[a-z]*|[A-Z]+|\d+|)$/.test(part) ||
        isCamelCase(part) ||
        (value.includes('.') && isNumbered(part)),
    )
}

/** `user2` in `user2.name`. */
function isNumbered(part: string): boolean {
  return /^[A-Za-z]?[a-z]{2,}\d{1,2}$/.test(part)
}

/** Words put together, most of them longer than two letters; short forms such as `URL` are one. */
function isCamelCase(part: string): boolean {
  if (/^[A-Z]{2,5}(?:[A-Z][a-z]{2,})+$/.test(part)) return true // `RSAPrivateKey`
  if (!/^[A-Za-z]?[a-z]+(?:[A-Z][a-z]*)+$/.test(part)) return false
  const words = part.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []
  return part.length < 10 || part.length / words.length > 2.75
}

/** Short forms without a vowel that programs name things by. */
const SHORT_FORM =
  /^(?:btn|cb|cfg|cmd|css|ctx|db|dns|ftp|gcp|html|http|https|jwt|ldap|mq|msg|mysql|pg|ptr|pw|pwd|rdp|rpc|sdk|sftp|smtp|sql|src|ssh|ssl|str|tls|tmp|txt|vm|vpn|xml|xs|[a-z])$/i

/** Letters of both cases that are not words put together: a part of them has no vowel, as no word has. */
export function isScrambled(value: string): boolean {
  if (value.length < 10 || !/^[A-Za-z]+$/.test(value) || isWord(value)) return false
  const words = value.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []
  return words.length > 2 && words.some((word) => !/[aeiouy]/i.test(word) && !SHORT_FORM.test(word))
}

/** What somebody could have chosen as a password, and no name or sentence. */
export function isPassword(value: string): boolean {
  if (value.length < 6 || isPlaceholder(value) || isPath(value)) return false
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9._:/-]/].filter((kind) => kind.test(value)).length
  return kinds >= 2 && !isName(value)
}

/** A path or an address: long, with many letters, but not secret. */
export function isPath(value: string): boolean {
  if (/^\/[A-Za-z0-9+/]{30,}={0,2}$/.test(value) && hasAllKinds(value) && !/[a-z]{5}/.test(value)) return false
  return /^(?:\.{0,2}\/|~\/|#\/|[A-Za-z]:[\\/]|[a-z][a-z+.-]*:\/\/)/.test(value)
}

/** Letters of both cases and digits. */
export function hasAllKinds(value: string): boolean {
  return /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value)
}

/** Letters and digits in no order that words, names and hashes have. */
export function isRandom(value: string): boolean {
  if (value.length < 16 || isPlaceholder(value) || isPath(value) || isName(value)) return false
  if (!/[A-Za-z]/.test(value)) return false
  // One in a hundred has no digit; then its letters are of both cases, in no order.
  if (!/[0-9]/.test(value))
    return /^[A-Za-z+/]+={0,2}$/.test(value) && !/[a-z]{6}/.test(value) && entropyOf(value) > 3.5
  return entropyOf(value) > 3
}

const IDENTIFIER =
  /^(?:(?:srv)?toolu|call|msg|rs|fc|ws|ig|resp|chatcmpl|cmpl|gen|req|item|run|ses|prt|evt|part)[_-](?:bdrk_|vrtx_)?(?:\d{10,}-)?[A-Za-z0-9-]+$/

/** What agents and models call their messages, calls and answers. */
export function isIdentifier(text: string): boolean {
  return IDENTIFIER.test(text)
}

/** How much of a text is neither words nor numbers nor hexadecimal, as the parts of paths and of names are. */
export function lengthOfRandomParts(text: string): number {
  const parts = text.split(/[/_+-]+/).filter((part) => !/^[0-9a-f]*$|^[0-9A-F]+$/.test(part) && !isWords(part))
  return parts.reduce((sum, { length }) => sum + length, 0)
}

/** Most of it is in words of four small letters or more; in random letters one in thirty places begins such a word. */
function isWords(part: string): boolean {
  const inWords = part.match(/[a-z]{4,}/g)?.join('').length ?? 0
  return isWord(part) || isCamelCase(part) || inWords > part.length * 0.55
}

/** Bits in a character. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}
