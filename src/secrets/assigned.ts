import { isName as isNameOf, isPassword, isPath, isPlaceholder, isRandom, isScrambled } from './plausible.ts'
import type { Span } from './spans.ts'

/** Words that say of a name that its value is a secret; whether they do may depend on what comes before them. */
const WORD =
  /[Pp]ass(?:word|wd|phrase|code)?|PASS(?:WORD|WD|PHRASE|CODE)?|[Pp]wd|PWD|[Ss]ecret|SECRET|[Cc]redential|CREDENTIAL|[Tt]oken|TOKEN|[Kk]ey|KEY|_PAT|_AUTH|_PSK|_PW(?!D)|(?:ROOT|DB)PW(?!D)|_SK|JWT|[Bb]earer|BEARER|_SALT|_WEBHOOK|MNEMONIC|_SEED|[Cc]onnection_?[Ss]tring|CONNECTION_STRING/g
const KEY_OF = /(?:api|access|account|private|secret|auth|encryption|signing|master|shared|deploy|service|admin)[_-]?$/i
const VARIABLE_KEY = /[A-Z0-9]_$/
const LONGEST_NAME = 24

/** What may follow the word in the name of a variable; then the value alone says whether it is one. */
const MORE = String.raw`_(?!(?:[A-Z0-9]+_)*(?:FILE|PATH|DIR|URL|URI|HOST|PORT|USER|NAME|ID|IDS|TYPE|COUNT|LIMIT|TTL)\b)[A-Z][A-Z0-9_]{0,40}`
const SUFFIX = String.raw`[sS]?(?:_?\d{1,2}|_(?:PROD|DEV|TEST|STAGING|LIVE|MAIN|BASE)|_(?:key_)?base|(?<more>${MORE}))?`
const SIGN = String.raw`\\{0,7}["'\`]?\]?[ \t]{0,4}(?:=>|:=|[=:])[ \t]{0,4}\\{0,7}["'\`]?`
const VALUE = String.raw`[^\s"'\`\\,;&<>()[\]{}]`
/** With any sign, where quotes or the end of a line tell where it ends. */
const WHOLE = String.raw`[^\s"'\`\\]`
const ASSIGNED = new RegExp(`(?<sign>${SUFFIX}${SIGN})(?<value>${VALUE}{6,1024})`, 'y')
const ENCLOSED = new RegExp(`(?<sign>${SUFFIX}${SIGN})(?<value>${WHOLE}{6,1024})(?=(?<quote>["'\`])|\\r?\\n|$)`, 'y')
const UNFINISHED = new RegExp(`${SUFFIX}${SIGN}(?<value>${WHOLE}{0,1024})$`, 'y')
const SIGNS = /[,;&<>()[\]{}]/

interface Assignment {
  word: string
  /** The rest of a name that goes on after the word. */
  more?: string
  sign: string
  value: string
  end: number
}

/** Values that are assigned to names that say what they are. */
export function findAssigned(text: string, spans: Span[]): void {
  for (const { index, 0: word } of text.matchAll(WORD)) {
    if (!isName(text, index, word)) continue
    const candidates = [enclosedAt(text, index, word), assignedAt(ASSIGNED, text, index, word)]
    const found = candidates.find((one) => one !== null && isSecretIn(text, one))
    if (found) spans.push({ start: found.end - found.value.length, end: found.end, from: index })
  }
}

function isSecretIn(text: string, found: Assignment): boolean {
  const { end } = found
  if (isCallOrConstant(found, text.charAt(end))) return false
  return isSecret(found, /^[ \t]*(?:[\r\n]|$|["'`])/.test(text.slice(end, end + 8)))
}

function assignedAt(pattern: RegExp, text: string, index: number, word: string): Assignment | null {
  pattern.lastIndex = index + word.length
  const { sign = '', value = '', more } = pattern.exec(text)?.groups ?? {}
  return value === '' ? null : { word, sign, value, end: index + word.length + sign.length + value.length, more }
}

const CALL = /^!?([\w$.]+)[([]/
const PATTERN = /\(\?|\[\^?[\w\\]-/

/** A call, an element, or a pattern that finds secrets. */
function isCode(value: string): boolean {
  const called = CALL.exec(value)?.[1]
  return PATTERN.test(value) || (called !== undefined && isNameOf(called))
}

const NAMES = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$/
const CONSTANT = /^(?:[a-z]\w*\.)?[A-Z]+\d?(?:_[A-Z]+\d?)+$/

/** `password = base64.b16encode(`, `X_AUTH = exports.SOCKS5_AUTH`: in a program, which puts a blank after the sign. */
function isCallOrConstant({ sign, value }: Assignment, next: string): boolean {
  if (!/[=:][ \t]+$/.test(sign)) return false
  return CONSTANT.test(value) || (next === '(' && NAMES.test(value))
}

const LINE_BEGINS = /(?:^|\n)[ \t]*(?:export[ \t]+)?[A-Z][A-Z0-9_]*$/

/** A value with signs that would end one elsewhere: in quotes, or alone in a line as files of variables have it. */
function enclosedAt(text: string, index: number, word: string): Assignment | null {
  const found = assignedAt(ENCLOSED, text, index, word)
  if (!found || !SIGNS.test(found.value) || !/\d/.test(found.value) || isCode(found.value)) return null
  const quote = /["'`]$/.exec(found.sign)?.[0]
  if (quote) return text.charAt(found.end) === quote ? found : null
  const isLine = found.sign.endsWith('=') && !/["'`]/.test(text.charAt(found.end))
  return isLine && LINE_BEGINS.test(text.slice(Math.max(0, index - 64), index + word.length)) ? found : null
}

/** Where at the end of a text such a value begins, or may begin; the length of the text when there is none. */
export function openValueAt(text: string): number {
  for (const { index, 0: word } of text.matchAll(WORD)) {
    UNFINISHED.lastIndex = index + word.length
    const found = UNFINISHED.exec(text)
    if (found && isName(text, index, word)) return text.length - (found.groups?.value?.length ?? 0)
  }
  return text.length
}

function isName(text: string, index: number, word: string): boolean {
  const before = text.slice(Math.max(0, index - LONGEST_NAME), index)
  if (/^key$/i.test(word)) return KEY_OF.test(before) || (word === 'KEY' && VARIABLE_KEY.test(before))
  if (/^pwd$/i.test(word)) return /(?:[_-]|db|root|admin)$/i.test(before)
  // Not of `bypass`, `compass`, `minipass`.
  if (word === 'pass') return !/[a-z]$/.test(before) || /(?:db|my|user|root|admin|smtp|mail|ftp|ssh)$/.test(before)
  return true
}

/** `t.A=t.B=…`, as compilers of scripts write it. */
const ASSIGNS_ON = /^[A-Za-z_$]{1,3}\.[A-Za-z_$][\w$]*=(?:[A-Za-z_$]{1,3}\.|void\b)/

/** The name says so: whether the value is one, and not code, a type or a placeholder. */
function isSecret({ word, more, sign, value }: Assignment, endsLine: boolean): boolean {
  if (/^[\^~]?\d+(?:\.\d+)+$/.test(value)) return false // a version
  if (isPlaceholder(value) || isPath(value) || ASSIGNS_ON.test(value)) return false
  // Constants are named like variables, and stand for each other.
  if (more !== undefined && /[ \t]$/.test(sign) && sign.includes('=')) return false
  if (more !== undefined || /^(?:JWT|bearer|_SALT|_SEED|_WEBHOOK|_SK)$/i.test(word)) return isRandom(value)
  if (/^[A-Z_]+$/.test(word) && /^[A-Z0-9_]*=["']?$/.test(sign)) return isPassword(value) || value.length >= 8
  const isPasswordName = !/^(?:token|key|connection)/i.test(word)
  const isQuoted = /["'`]$/.test(sign)
  if (isQuoted && isPasswordName) return isPassword(value) || isScrambled(value)
  if (isQuoted) return isRandom(value) || (value.length >= 8 && isPassword(value))
  if (!isPasswordName || /[=:][ \t]/.test(sign))
    return isRandom(value) || (isPasswordName && endsLine && isChosen(value))
  return isPassword(value)
}

/** As YAML and configuration files have it: nothing follows on its line, and no program would name something like this. */
function isChosen(value: string): boolean {
  if (value.length < 8 || !/\d/.test(value) || !/[A-Za-z]/.test(value) || !isPassword(value)) return false
  return !/^[A-Za-z_$][\w$]*(?:[.:][A-Za-z_$][\w$]*)+$/.test(value) && !/^[A-Za-z]+\d{1,2}$/.test(value)
}
