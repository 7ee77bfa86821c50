import type { Redact } from './redact.ts'
import { cutBefore, type Find, replaceSpans } from './spans.ts'
import type { WaitFrom } from './wait.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals speak in control characters
const CONTROL = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]|[\x00-\x1f\x7f-\x9f]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const UNFINISHED = /\x1b(?:\[[0-?]{0,256}[ -/]{0,8}|[ -/]{0,8})$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const STAYS = /^(?:\x1b\[(?:[\d;:]*m|\d?K)|[\0\x0e\x0f\x7f])$/

/** Nothing is held back for longer than this: no secret is so long. */
const MAX_HELD = 8192
/** What was shown last is looked at, too: a secret is recognised by what comes before it. */
const CONTEXT = 256

export interface TerminalRules {
  find: Find
  /** As long a text in place of a secret, which takes as many cells. */
  maskOf: Redact
  waitFrom: WaitFrom
}

/** A text or one control sequence, and what it is to those who look for secrets: for `plain` at most a line break. */
interface Token {
  raw: string
  plain: string
}

/**
 * Masks secrets in what a program writes to its terminal, in whatever pieces it comes: what could be the beginning of
 * one waits for the next piece. A colour within a secret hides nothing; whatever moves the cursor breaks the line, and
 * several moves break it once. Control sequences stay as they are, and every mask takes the cells of its secret.
 */
export class TerminalGuard {
  readonly #rules: TerminalRules
  #held = ''
  /** The end of what was shown, without its masks, and more of it while a secret is open there. */
  #context = ''

  constructor(rules: TerminalRules) {
    this.#rules = rules
  }

  /** How a text that was typed looks on the screen. */
  shown(text: string): string {
    return this.#mask(text)
  }

  get isHolding(): boolean {
    return this.#held !== ''
  }

  /** What can be shown of it and of what was held back before. */
  take(text: string): string {
    const raw = this.#held + text
    const whole = raw.slice(0, raw.length - (UNFINISHED.exec(raw.slice(-300))?.[0].length ?? 0))
    const tokens = tokensOf(whole, this.#context)
    const plain = plainOf(tokens)
    const wait = this.#cut(plain)
    const shown = upTo(tokens, plain.length - wait > MAX_HELD ? plain.length : wait)
    this.#held = raw.slice(shown.reduce((sum, token) => sum + token.raw.length, 0))
    return this.#show(shown)
  }

  /** What was held back, when nothing more comes, or does not come soon. */
  release(): string {
    const tokens = tokensOf(this.#held, this.#context)
    this.#held = ''
    return this.#show(tokens)
  }

  #mask(text: string): string {
    return replaceSpans(text, this.#rules.find(text), this.#rules.maskOf)
  }

  /** Where what waits begins. A secret that is whole is not parted, though its end may begin another. */
  #cut(plain: string): number {
    const known = this.#context + plain
    const wait = this.#rules.waitFrom(known)
    const cut = wait === known.length ? wait : cutBefore(this.#rules.find(known), wait)
    return Math.max(0, cut - this.#context.length)
  }

  #show(tokens: readonly Token[]): string {
    if (tokens.length === 0) return ''
    const plain = plainOf(tokens)
    const known = this.#context + plain
    const masked = this.#mask(known).slice(this.#context.length)
    this.#context = known.slice(Math.max(0, this.#rules.waitFrom(known) - CONTEXT, known.length - MAX_HELD))
    if (masked === plain) return tokens.map(({ raw }) => raw).join('')
    let at = 0
    return tokens
      .map((token) => {
        at += token.plain.length
        return token.plain === token.raw ? masked.slice(at - token.plain.length, at) : token.raw
      })
      .join('')
  }
}

function tokensOf(text: string, shown: string): Token[] {
  const tokens: Token[] = []
  let done = 0
  let last = shown.slice(-1)
  const add = (raw: string, plain: string) => {
    if (raw !== '') tokens.push({ raw, plain })
    if (plain !== '') last = plain.slice(-1)
  }
  for (const { index, 0: control } of text.matchAll(CONTROL)) {
    const before = text.slice(done, index)
    add(before, before)
    add(control, plainOfControl(control, last))
    done = index + control.length
  }
  const rest = text.slice(done)
  add(rest, rest)
  return tokens
}

function plainOfControl(control: string, last: string): string {
  if (control === '\n') return control
  if (last === '\n' || STAYS.test(control)) return ''
  if (control !== '\r') return '\n'
  return last === '\r' ? '' : control // a terminal makes `\r\r\n` of `\r\n`
}

function plainOf(tokens: readonly Token[]): string {
  return tokens.map(({ plain }) => plain).join('')
}

/** The tokens of the first so many characters; one that is text may be cut. */
function upTo(tokens: readonly Token[], length: number): Token[] {
  const first: Token[] = []
  let left = length
  for (const { raw, plain } of tokens) {
    if (plain.length > left) {
      if (left > 0) first.push({ raw: raw.slice(0, left), plain: plain.slice(0, left) })
      break
    }
    first.push({ raw, plain })
    left -= plain.length
  }
  return first
}
