import type { WaitFrom } from './delta-guard.ts'
import type { Redact } from './native-log.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals speak in control characters
const CONTROL = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]|[\x00-\x1f\x7f-\x9f]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const UNFINISHED = /\x1b(?:\[[0-?]{0,256}[ -/]{0,8}|[ -/]{0,8})$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const LOOKS = /^\x1b\[[\d;:]*m$/

/** Nothing is held back for longer than this: no secret is so long. */
const MAX_HELD = 8192
/** What was shown last is looked at, too: a secret is known by what stands before it. */
const CONTEXT = 64

export interface TerminalRules {
  /** Puts as long a text in place of each secret, which takes as many cells. */
  mask: Redact
  waitFrom: WaitFrom
}

/** A text or one control sequence, and what it is to those who look for secrets: for `plain` no more than a gap. */
interface Token {
  raw: string
  plain: string
}

/**
 * Masks secrets in what a program writes to its terminal, in whatever pieces it comes: what could be the beginning of
 * one waits for the next piece. A colour within a secret hides nothing; whatever moves the cursor is a gap between
 * words. Control sequences stay as they are, and every mask takes the cells of its secret.
 */
export class TerminalGuard {
  readonly #mask: Redact
  readonly #waitFrom: WaitFrom
  #held = ''
  /** The end of what was shown, without its masks, and more of it while a secret is open there. */
  #context = ''

  constructor({ mask, waitFrom }: TerminalRules) {
    this.#mask = mask
    this.#waitFrom = waitFrom
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
    const tokens = tokensOf(whole)
    const plain = plainOf(tokens)
    const wait = Math.max(0, this.#waitFrom(this.#context + plain) - this.#context.length)
    const shown = upTo(tokens, plain.length - wait > MAX_HELD ? plain.length : wait)
    this.#held = raw.slice(shown.reduce((sum, token) => sum + token.raw.length, 0))
    return this.#show(shown)
  }

  /** What was held back, when nothing more comes, or does not come soon. */
  release(): string {
    const tokens = tokensOf(this.#held)
    this.#held = ''
    return this.#show(tokens)
  }

  #show(tokens: readonly Token[]): string {
    const plain = plainOf(tokens)
    const known = this.#context + plain
    const masked = this.#mask(known).slice(this.#context.length)
    this.#context = known.slice(Math.max(0, this.#waitFrom(known) - CONTEXT, known.length - MAX_HELD))
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

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let done = 0
  const add = (raw: string, plain: string) => {
    if (raw !== '') tokens.push({ raw, plain })
  }
  for (const { index, 0: control } of text.matchAll(CONTROL)) {
    const before = text.slice(done, index)
    add(before, before)
    add(control, LOOKS.test(control) ? '' : '\n')
    done = index + control.length
  }
  const rest = text.slice(done)
  add(rest, rest)
  return tokens
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
