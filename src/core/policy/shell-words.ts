/** One word of a command, without its quotes. */
export interface ShellWord {
  text: string
  /** The shell puts something else in its place: a variable, a pattern, the output of a command. */
  isDynamic: boolean
}

/** What a command line runs and which files it redirects to, whatever joins the commands. */
export interface ShellScript {
  commands: ShellWord[][]
  reads: ShellWord[]
  writes: ShellWord[]
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a command that has them is not what it looks like
const HIDDEN = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/
const VARIABLE = /^\$(?:\{[A-Za-z_]\w*\}|[A-Za-z_]\w*|[0-9@*#?$!-])/
const DEEPEST = 8

/** Thrown inside only: the line is more than this reader understands. */
class NotUnderstood extends Error {}

/**
 * Reads a command line as a POSIX shell would, without running anything. Null: it has something in it that is not
 * understood here, such as a loop, a here document or arithmetic. The caller must then assume the worst.
 */
export function readShell(line: string, depth = 0): ShellScript | null {
  if (depth > DEEPEST || HIDDEN.test(line)) return null
  try {
    const reader = new Reader(line, depth)
    reader.script('')
    return reader.found
  } catch (error) {
    if (error instanceof NotUnderstood) return null
    throw error
  }
}

class Reader {
  readonly found: ShellScript = { commands: [], reads: [], writes: [] }
  readonly #line: string
  readonly #depth: number
  #at = 0
  #open = 0
  #words: ShellWord[] = []
  #word: (ShellWord & { isQuoted: boolean }) | null = null
  #redirect: 'reads' | 'writes' | 'word' | null = null

  constructor(line: string, depth: number) {
    this.#line = line
    this.#depth = depth
  }

  /** Up to the end of the line, or to the bracket that closes a part of it. */
  script(end: '' | ')'): void {
    this.#open += 1
    if (this.#open > DEEPEST) throw new NotUnderstood()
    const outer = { words: this.#words, word: this.#word, redirect: this.#redirect }
    this.#words = []
    this.#word = null
    this.#redirect = null
    for (;;) {
      const char = this.#line.charAt(this.#at)
      if (char === '' || char === ')') {
        if (char !== end) throw new NotUnderstood()
        this.#endCommand()
        this.#at += char.length
        break
      }
      this.#read(char)
    }
    this.#open -= 1
    this.#words = outer.words
    this.#word = outer.word
    this.#redirect = outer.redirect
  }

  #read(char: string): void {
    switch (char) {
      case ' ':
      case '\t':
        this.#endWord()
        this.#at += 1
        return
      case '\n':
      case ';':
      case '|':
      case '&':
        this.#operator(char)
        return
      case '<':
      case '>':
        this.#redirection()
        return
      case '(':
        if (this.#word !== null || this.#words.length > 0 || this.#redirect !== null) throw new NotUnderstood()
        this.#at += 1
        this.script(')')
        return
      case '#':
        if (this.#word === null) throw new NotUnderstood()
        this.#add(char)
        return
      case "'":
        this.#single()
        return
      case '"':
        this.#double()
        return
      case '\\':
        this.#escaped()
        return
      case '$':
        if (/^\$['"]/.test(this.#rest(2))) throw new NotUnderstood()
        this.#dollar()
        return
      case '`':
        this.#backticks()
        return
      case '*':
      case '?':
      case '[':
      case '{':
      case '}':
        this.#add(char, true)
        return
      default:
        this.#add(char)
        return
    }
  }

  #rest(length?: number): string {
    return this.#line.slice(this.#at, length === undefined ? undefined : this.#at + length)
  }

  #add(text: string, isDynamic = false, length = text.length, isQuoted = false): void {
    this.#word ??= { text: '', isDynamic: false, isQuoted: false }
    // A tilde that is quoted is not the home, but looks like it.
    if (isQuoted && this.#word.text === '' && text.startsWith('~')) throw new NotUnderstood()
    this.#word.text += text
    this.#word.isDynamic ||= isDynamic
    this.#word.isQuoted ||= isQuoted
    this.#at += length
  }

  #single(): void {
    const end = this.#line.indexOf("'", this.#at + 1)
    if (end === -1) throw new NotUnderstood()
    const text = this.#line.slice(this.#at + 1, end)
    this.#add(text, false, text.length + 2, true)
  }

  #double(): void {
    this.#add('', false, 1, true)
    for (;;) {
      const char = this.#line.charAt(this.#at)
      if (char === '') throw new NotUnderstood()
      if (char === '"') break
      if (char === '$') this.#dollar()
      else if (char === '`') this.#backticks()
      else if (char === '\\' && /["\\$`\n]/.test(this.#line.charAt(this.#at + 1))) this.#escaped()
      else this.#add(char, false, 1, true)
    }
    this.#at += 1
  }

  #escaped(): void {
    const next = this.#line.charAt(this.#at + 1)
    if (next === '') throw new NotUnderstood()
    if (next === '\n') this.#at += 2
    else this.#add(next, false, 2, true)
  }

  #dollar(): void {
    const rest = this.#rest()
    if (rest.startsWith('$((')) throw new NotUnderstood()
    if (rest.startsWith('$(')) {
      this.#add('$(…)', true, 2)
      this.script(')')
      return
    }
    const variable = VARIABLE.exec(rest)?.[0]
    if (variable !== undefined) {
      this.#add(variable, true)
      return
    }
    if (rest.startsWith('${') || rest.startsWith('$[')) throw new NotUnderstood()
    this.#add('$')
  }

  #backticks(): void {
    const end = this.#line.indexOf('`', this.#at + 1)
    const inner = this.#line.slice(this.#at + 1, end)
    const script = end === -1 || inner.includes('\\') ? null : readShell(inner, this.#depth + 1)
    if (script === null) throw new NotUnderstood()
    this.found.commands.push(...script.commands)
    this.found.reads.push(...script.reads)
    this.found.writes.push(...script.writes)
    this.#add('$(…)', true, inner.length + 2)
  }

  #operator(char: string): void {
    const rest = this.#rest(3)
    if (rest.startsWith('&>')) {
      this.#redirection()
      return
    }
    if (rest.startsWith(';;') || rest.startsWith(';&')) throw new NotUnderstood()
    this.#endCommand()
    const isDouble = rest.startsWith('&&') || rest.startsWith('||') || rest.startsWith('|&')
    this.#at += isDouble && char !== '\n' ? 2 : 1
  }

  #redirection(): void {
    // The number of the stream before it.
    if (this.#word !== null && !this.#word.isQuoted && /^\d+$/.test(this.#word.text)) this.#word = null
    this.#endWord()
    if (this.#redirect !== null) throw new NotUnderstood()
    const operator = /^(?:&>>|&>|<<<|<<|<>|<&|>&|>>|>\||<\(|>\(|<|>)/.exec(this.#rest(3))?.[0] ?? ''
    this.#at += operator.length
    switch (operator) {
      case '<<':
      case '<(':
      case '>(':
        throw new NotUnderstood()
      case '<<<':
        this.#redirect = 'word'
        return
      case '<&':
      case '>&': {
        const stream = /^(?:\d+-?|-)(?=[\s;|&<>)]|$)/.exec(this.#rest())?.[0]
        if (stream === undefined && operator === '<&') throw new NotUnderstood()
        if (stream === undefined) this.#redirect = 'writes'
        else this.#at += stream.length
        return
      }
      case '<':
        this.#redirect = 'reads'
        return
      default:
        this.#redirect = 'writes'
    }
  }

  #endWord(): void {
    const word = this.#word
    if (word === null) return
    this.#word = null
    const { text, isDynamic } = word
    const isFile = this.#redirect === 'reads' || this.#redirect === 'writes'
    if (isFile) this.found[this.#redirect === 'reads' ? 'reads' : 'writes'].push({ text, isDynamic })
    else this.#words.push({ text, isDynamic })
    this.#redirect = null
  }

  #endCommand(): void {
    this.#endWord()
    if (this.#redirect !== null) throw new NotUnderstood()
    if (this.#words.length > 0) this.found.commands.push(this.#words)
    this.#words = []
  }
}
