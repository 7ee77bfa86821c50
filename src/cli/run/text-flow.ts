import type { Paint } from '../output.ts'
import { unmarked } from '../terminal-text.ts'
import { displayWidth, splitAt } from '../text.ts'

export interface TextFlowOptions {
  width: number
  paint: Paint
  /** Headings, lists, code and bold are shown as such; else the text is only wrapped. */
  markdown: boolean
  /** Before each line that continues another. */
  hang?: string
}

const FENCE = /^ {0,3}(```|~~~)/
/** What comes before a word that begins in bold. */
const OPENING = /^[([{"'“‘*_-]*$/
const LIST = /^(?:[-*+]|\d{1,3}[.)])$/
const RULE = /^(?:-{3,}|\*{3,}|_{3,})$/

/**
 * Text that comes in pieces, wrapped between words for a terminal. A word is written when its end has come: only then it
 * is known whether it fits.
 */
export class TextFlow {
  readonly #options: TextFlowOptions
  #rest = ''
  #column = 0
  /** What the next line of a paragraph begins with. */
  #hang = ''
  #isLineStart = true
  #inFence = false
  #isHeading = false
  #isBold = false
  #isCode = false

  constructor(options: TextFlowOptions) {
    this.#options = options
  }

  /** What can be written by now. */
  push(text: string): string {
    this.#rest += text
    let out = ''
    for (let piece = this.#next(); piece !== null; piece = this.#next()) out += piece
    return out
  }

  /** What is left, and a new beginning. */
  end(): string {
    if (this.#rest === '' && this.#column === 0) return ''
    const out = this.push('\n').replace(/\n$/, '')
    this.#inFence = false
    return out
  }

  /** The next piece that is complete, taken from the rest. */
  #next(): string | null {
    if (!this.#isLineStart) return this.#nextWord()
    const { markdown } = this.#options
    const lineEnd = this.#rest.indexOf('\n')
    if (this.#inFence || (markdown && FENCE.test(this.#rest))) {
      return lineEnd < 0 ? null : this.#codeLine(this.#take(lineEnd + 1).slice(0, -1))
    }
    const first = /^([ \t]*)(\S*)([ \t\n])/.exec(this.#rest)
    if (!first) return null
    const [, indent = '', word = ''] = first
    if (word === '' && this.#rest[indent.length] !== '\n' && lineEnd < 0) return null // only spaces so far
    this.#isLineStart = false
    return markdown ? this.#startLine(indent, word) : this.#indent(indent)
  }

  #startLine(indent: string, word: string): string {
    const { paint } = this.#options
    const marker = indent.length + word.length
    if (/^#{1,6}$/.test(word) && this.#rest[marker] === ' ') {
      this.#take(marker + 1)
      this.#isHeading = true
      return ''
    }
    if (LIST.test(word) && this.#rest[marker] === ' ') {
      this.#take(marker + 1)
      const sign = /\d/.test(word) ? word : '•'
      this.#hang = `${indent}${' '.repeat(sign.length + 1)}`
      this.#column = this.#hang.length
      return `${indent}${paint('cyan', sign)} `
    }
    if (word === '>' && this.#rest[marker] === ' ') {
      this.#take(marker + 1)
      this.#hang = `${indent}${paint('dim', '│')} `
      this.#column = indent.length + 2
      return this.#hang
    }
    if (RULE.test(word) && this.#rest[marker] === '\n') {
      this.#take(marker)
      this.#column = 3
      return paint('dim', '───')
    }
    return this.#indent(indent)
  }

  #indent(indent: string): string {
    this.#take(indent.length)
    this.#hang = indent + (this.#options.hang ?? '')
    this.#column = indent.length
    return indent
  }

  #codeLine(line: string): string {
    const { paint } = this.#options
    if (FENCE.test(line)) {
      this.#inFence = !this.#inFence
      return ''
    }
    return line === '' ? '\n' : `  ${paint('cyan', line)}\n`
  }

  #nextWord(): string | null {
    if (this.#rest.startsWith('\n')) {
      this.#take(1)
      this.#column = 0
      this.#hang = ''
      this.#isLineStart = true
      this.#isHeading = false
      this.#isBold = false
      this.#isCode = false
      return '\n'
    }
    const found = /^([ \t]*)(\S+)(?=\s)/.exec(this.#rest)
    if (found) {
      const [whole, space = '', word = ''] = found
      this.#take(whole.length)
      return this.#word(space, word)
    }
    if (!/^[ \t]+\n/.test(this.#rest)) return null
    this.#take(this.#rest.indexOf('\n'))
    return ''
  }

  #word(space: string, word: string): string {
    const parts = this.#options.markdown ? this.#styled(word) : [{ text: word, paint: (text: string) => text }]
    const size = parts.reduce((sum, { text }) => sum + displayWidth(unmarked(text)), 0)
    const { width } = this.#options
    const hang = displayWidth(unmarked(this.#hang))
    let out = space
    if (this.#column + space.length + size > width && this.#column > hang) {
      out = `\n${this.#hang}`
      this.#column = hang
    } else this.#column += space.length
    for (const { text, paint } of parts) out += this.#fit(text, paint, hang)
    return out
  }

  /** A word that is longer than a line is broken, so that we know where the cursor is. */
  #fit(text: string, paint: (text: string) => string, hang: number): string {
    const { width } = this.#options
    let out = ''
    let rest = text
    while (unmarked(rest) === rest && this.#column + displayWidth(rest) > width && width > hang) {
      const [head, tail] = splitAt(rest, width - this.#column)
      if (head === '' && this.#column === hang) break
      out += `${head === '' ? '' : paint(head)}\n${this.#hang}`
      this.#column = hang
      rest = tail
    }
    this.#column += displayWidth(unmarked(rest))
    return out + (rest === '' ? '' : paint(rest))
  }

  /** Bold and code, without their signs. What only looks like a sign, as in `src/**`, stays. */
  #styled(word: string): { text: string; paint: (text: string) => string }[] {
    const parts: { text: string; paint: (text: string) => string }[] = []
    let before = ''
    for (const part of word.split(/(\*\*|`+)/)) {
      if (part === '') continue
      if (part[0] === '`') this.#isCode = !this.#isCode
      else if (part === '**' && !this.#isCode && (this.#isBold || OPENING.test(before))) this.#isBold = !this.#isBold
      else {
        const { paint } = this.#options
        const isStrong = this.#isBold || this.#isHeading
        const style = this.#isCode ? ('cyan' as const) : isStrong ? ('bold' as const) : null
        parts.push({ text: part, paint: (text) => (style === null ? text : paint(style, text)) })
      }
      before += part
    }
    return parts
  }

  #take(length: number): string {
    const taken = this.#rest.slice(0, length)
    this.#rest = this.#rest.slice(length)
    return taken
  }
}

/** A whole text, wrapped between words; lines that continue another are indented by `hang`. */
export function wrapWords(text: string, width: number, hang: string, paint: Paint): string {
  const flow = new TextFlow({ width, paint, markdown: false, hang })
  return flow.push(text) + flow.end()
}
