import { isPassword, isPath, isPlaceholder, isRandom, isScrambled } from './plausible.ts'
import type { Span } from './spans.ts'

/** Words that say of a name that its value is a secret; whether they do may depend on what comes before them. */
const WORD =
  /[Pp]ass(?:word|wd|phrase|code)?|PASS(?:WORD|WD|PHRASE|CODE)?|[Pp]wd|PWD|[Ss]ecret|SECRET|[Cc]redential|CREDENTIAL|[Tt]oken|TOKEN|[Kk]ey|KEY|_PAT|_AUTH|_PSK|[Cc]onnection_?[Ss]tring|CONNECTION_STRING/g
const KEY_OF = /(?:api|access|account|private|secret|auth|encryption|signing|master|shared|deploy|service|admin)[_-]?$/i
const VARIABLE_KEY = /[A-Z0-9]_$/
const LONGEST_NAME = 24

const SUFFIX = String.raw`[sS]?(?:_?\d{1,2}|_(?:PROD|DEV|TEST|STAGING|LIVE|MAIN))?`
const SIGN = String.raw`\\{0,7}["'\`]?\]?[ \t]{0,4}(?:=>|:=|[=:])[ \t]{0,4}\\{0,7}["'\`]?`
const VALUE = String.raw`[^\s"'\`\\,;&<>()[\]{}]`
const ASSIGNED = new RegExp(`(${SUFFIX}${SIGN})(${VALUE}{6,1024})`, 'y')
const UNFINISHED = new RegExp(`${SUFFIX}${SIGN}(${VALUE}{0,1024})$`, 'y')

/** Values that are assigned to names that say what they are. */
export function findAssigned(text: string, spans: Span[]): void {
  for (const { index, 0: word } of text.matchAll(WORD)) {
    ASSIGNED.lastIndex = index + word.length
    const [whole, sign = '', value = ''] = ASSIGNED.exec(text) ?? []
    const end = index + word.length + (whole?.length ?? 0)
    if (
      whole === undefined ||
      !isName(text, index, word) ||
      !isSecret(word, sign, value, /^[ \t]*(?:[\r\n]|$|["'`])/.test(text.slice(end, end + 8)))
    )
      continue
    spans.push({ start: end - value.length, end, from: index })
  }
}

/** Where at the end of a text such a value begins, or may begin; the length of the text when there is none. */
export function openValueAt(text: string): number {
  for (const { index, 0: word } of text.matchAll(WORD)) {
    UNFINISHED.lastIndex = index + word.length
    const found = UNFINISHED.exec(text)
    if (found && isName(text, index, word)) return text.length - (found[1]?.length ?? 0)
  }
  return text.length
}

function isName(text: string, index: number, word: string): boolean {
  const before = text.slice(Math.max(0, index - LONGEST_NAME), index)
  if (/^key$/i.test(word)) return KEY_OF.test(before) || (word === 'KEY' && VARIABLE_KEY.test(before))
  if (/^pwd$/i.test(word)) return /[_-]$/.test(before)
  // Not of `bypass`, `compass`, `minipass`.
  if (word === 'pass') return !/[a-z]$/.test(before) || /(?:db|my|user|root|admin|smtp|mail|ftp|ssh)$/.test(before)
  return true
}

/** The name says so: whether the value is one, and not code, a type or a placeholder. */
function isSecret(word: string, sign: string, value: string, endsLine: boolean): boolean {
  if (/^[\^~]?\d+(?:\.\d+)+$/.test(value)) return false // a version
  if (isPlaceholder(value) || isPath(value)) return false
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
