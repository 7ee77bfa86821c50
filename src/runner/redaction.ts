import type { LaunchSecrets } from '../contract/launch.ts'
import { escapePattern } from '../core/escape-pattern.ts'
import { REDACTED, REDACTION_RULES } from '../core/redact.ts'
import { patternOf, secretForms } from '../core/secret-values.ts'
import { DeltaGuard, type WaitFrom } from './delta-guard.ts'
import type { Redact } from './native-log.ts'
import { openKeyAt, PRIVATE_KEY } from './private-key.ts'
import { cellMaskOf, KEY_HEADS, maskOf } from './secret-mask.ts'
import { TerminalGuard } from './terminal-guard.ts'

/**
 * Only rules that never reach beyond the text that holds the secret: a line has to stay the JSON that it is, and be
 * interpreted again. What only looks as if it could be a secret, a number behind "tokens" say, has to stay.
 */
const SAFE_RULES: ReadonlySet<string> = new Set(['key with a known prefix', 'bearer token', 'password in an address'])
const RULES: readonly Pick<(typeof REDACTION_RULES)[number], 'pattern' | 'keeps' | 'needs'>[] = [
  { pattern: PRIVATE_KEY, needs: 'PRIVATE KEY-----' },
  ...REDACTION_RULES.filter(({ name }) => SAFE_RULES.has(name)),
]

/** The known values first, then what is plainly a key. */
function rulesOf(secrets: LaunchSecrets, processEnv: NodeJS.ProcessEnv): typeof RULES {
  const pattern = patternOf(secretForms(secrets, processEnv))
  return pattern === null ? RULES : [{ pattern }, ...RULES]
}

/** Takes the secrets of a launch, and what is plainly a key, out of a text. */
export function createRedactor(secrets: LaunchSecrets, processEnv: NodeJS.ProcessEnv): Redact {
  const rules = rulesOf(secrets, processEnv)
  return (text) =>
    rules.reduce((left, { pattern, keeps, needs }) => {
      return needs === undefined || left.includes(needs) ? left.replace(pattern, replacement(keeps)) : left
    }, text)
}

/** Masks the same secrets, by text of the same length. */
function createMasker(secrets: LaunchSecrets, processEnv: NodeJS.ProcessEnv, maskOf: Redact): Redact {
  const rules = rulesOf(secrets, processEnv)
  const masked = (keeps: 'before' | 'both' | undefined) => (found: string, before: unknown, after: unknown) => {
    const [head, tail] = [keeps ? String(before) : '', keeps === 'both' ? String(after) : '']
    return head + maskOf(found.slice(head.length, found.length - tail.length)) + tail
  }
  return (text) =>
    rules.reduce((left, { pattern, keeps, needs }) => {
      return needs === undefined || left.includes(needs) ? left.replace(pattern, masked(keeps)) : left
    }, text)
}

/** Matches a word, or any beginning of it, at the end of a text; what `rest` matches may follow the whole word. */
function beginningOf(word: string, rest: string): string {
  const [first = '', ...others] = word
  return escapePattern(first) + (others.length === 0 ? rest : `(?:${beginningOf(others.join(''), rest)})?`)
}

// What could become a match of one of the rules. Of one that keeps what stands before the secret, only the secret has to
// wait, so that nothing short of its whole beginning counts.
const KEY = new RegExp(
  `(?<![A-Za-z0-9])(?:${KEY_HEADS.map((head) => beginningOf(head, '[A-Za-z0-9_.-]*')).join('|')})$`,
)
const ADDRESS = /\b[a-z][a-z0-9+.-]{0,32}:(?:\/(?:\/[^\\]{0,600})?)?$/i
const BEFORE_TOKEN = /\b(?:bearer|basic)\s+$/i
const BEFORE_TOKEN_LENGTH = 32
const WORD_END = /[\s'"]/
/** No word is looked at for longer. */
const LOOK_BACK = 1024

function createWaitFrom(values: readonly string[]): WaitFrom {
  return (text) => {
    let place = openKeyAt(text)
    for (const value of values) place = Math.min(place, beginningAt(text, value))
    const start = lastWordAt(text)
    const word = text.slice(start)
    if (word === '') return place
    if (BEFORE_TOKEN.test(text.slice(Math.max(0, start - BEFORE_TOKEN_LENGTH), start))) return Math.min(place, start)
    const found = [word.search(KEY), word.includes(':') ? word.search(ADDRESS) : -1].filter((at) => at >= 0)
    return Math.min(place, ...found.map((at) => start + at))
  }
}

function lastWordAt(text: string): number {
  let at = text.length
  while (at > 0 && text.length - at < LOOK_BACK && !WORD_END.test(text.charAt(at - 1))) at -= 1
  return at
}

/** Where in the text a part of this value begins that goes up to its end; the length of the text when there is none. */
function beginningAt(text: string, value: string): number {
  const first = value.charAt(0)
  for (let at = text.indexOf(first, text.length - value.length + 1); at >= 0; at = text.indexOf(first, at + 1)) {
    if (value.startsWith(text.slice(at))) return at
  }
  return text.length
}

/** Does for texts that come in pieces what the redactor does for whole ones. */
export function createDeltaGuard(secrets: LaunchSecrets, processEnv: NodeJS.ProcessEnv): DeltaGuard {
  return new DeltaGuard({
    redact: createRedactor(secrets, processEnv),
    mask: createMasker(secrets, processEnv, maskOf),
    waitFrom: createWaitFrom(secretForms(secrets, processEnv)),
  })
}

/** Does it for what a program writes to its terminal, and for what somebody looks for on its screen. */
export function createTerminalGuard(secrets: LaunchSecrets, processEnv: NodeJS.ProcessEnv): TerminalGuard {
  return new TerminalGuard({
    mask: createMasker(secrets, processEnv, cellMaskOf),
    waitFrom: createWaitFrom(secretForms(secrets, processEnv)),
  })
}

function replacement(keeps: 'before' | 'both' | undefined): string {
  return keeps === undefined ? REDACTED : keeps === 'before' ? `$1${REDACTED}` : `$1${REDACTED}$2`
}
