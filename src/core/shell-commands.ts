/** Programs that start another one: which of their options take a value, and how many words come before its name. */
const STARTERS: Readonly<Record<string, { valued?: RegExp; before?: number }>> = {
  ...{ command: {}, exec: {}, nohup: {}, setsid: {}, builtin: {}, eval: {}, time: { valued: /^-[fo]$/ } },
  ...{ sudo: { valued: /^-[ugphCD]$/ }, doas: { valued: /^-[uC]$/ }, env: { valued: /^-[uCS]$/ } },
  ...{ nice: { valued: /^-n$/ }, timeout: { valued: /^-[sk]$/, before: 1 }, xargs: { valued: /^-[nIPLdsaE]$/ } },
}
/** Words of the shell after which a command comes. */
const KEYWORDS: ReadonlySet<string> = new Set(['if', 'then', 'elif', 'else', 'while', 'until', 'do', '{', '!'])
const SHELL = /^(?:ba|z|da|k)?sh$/
const ASSIGNMENT = /^\w+\+?=/
/** `> file`, `2>&1`, `<<<`; the first form has its file in the next word. */
const REDIRECTION = /^\d*(?:>>?|<|<<<|&>>?|>\|)(&?\S*)$/
const MOST_DEPTH = 5

/**
 * The programs that a command line starts, each with its words, in order: `cd x && git commit -m y` has two. What is in
 * quotes, in a comment or in a here-document starts nothing, except for `$(…)` and the script of `sh -c`. Nothing is
 * expanded, and nothing is run.
 */
export function commandsIn(line: string, depth = 0): string[][] {
  if (depth > MOST_DEPTH) return []
  const { commands, nested } = split(withoutDocuments(line))
  const inner = nested.flatMap((text) => commandsIn(text, depth + 1))
  return [...inner, ...commands.flatMap((words) => started(words, depth))]
}

/** A part of a line is run more than once, or nobody knows how often. */
export function hasLoop(line: string): boolean {
  return /(?:^|[\s;(&|])(?:for|while|until|xargs|parallel)\s/.test(line)
}

/** The program that is started in the end, under its own name. */
function started(given: readonly string[], depth: number): string[][] {
  let words = withoutRedirections(given)
  for (;;) {
    const [first = '', ...rest] = words
    const name = first.replace(/^.*\//, '')
    const starter = STARTERS[name]
    if (KEYWORDS.has(first) || ASSIGNMENT.test(first)) words = rest
    else if (SHELL.test(name)) return scriptOf(rest).flatMap((script) => commandsIn(script, depth + 1))
    else if (!starter) return first === '' ? [] : [[name, ...rest]]
    else words = withoutOptions(rest, starter.valued).slice(starter.before ?? 0)
  }
}

function scriptOf(words: readonly string[]): string[] {
  const at = words.findIndex((word) => /^-\w*c$/.test(word))
  return at < 0 ? [] : words.slice(at + 1, at + 2)
}

/** The words from the first on that is not an option. */
export function withoutOptions(words: readonly string[], valued?: RegExp): string[] {
  let at = 0
  while (words[at]?.startsWith('-')) at += valued?.test(words[at] ?? '') ? 2 : 1
  return words.slice(at)
}

function withoutRedirections(words: readonly string[]): string[] {
  const isTarget = (at: number) => REDIRECTION.exec(words[at - 1] ?? '')?.[1] === ''
  return words.filter((word, at) => !REDIRECTION.test(word) && !isTarget(at))
}

/** Here-documents are text: `cat > x <<'END'` up to the line that says END. */
export function withoutDocuments(text: string): string {
  if (!text.includes('<<')) return text
  const lines = text.split('\n')
  const kept: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    kept.push(line)
    for (const [, , mark] of line.matchAll(/(?<!<)<<-?\s*(['"\\]?)([A-Za-z_][\w.-]*)\1/g)) {
      const end = lines.findIndex((one, index) => index > at && one.trim() === mark)
      if (end > 0) at = end
    }
  }
  return kept.join('\n')
}

/** The simple commands of a line, and the texts of `$(…)` in it, which are lines themselves. */
function split(text: string): { commands: string[][]; nested: string[] } {
  const commands: string[][] = []
  const nested: string[] = []
  let words: string[] = []
  let word: string | null = null
  let isQuoted = false
  const endWord = () => {
    if (word !== null) words.push(word)
    word = null
  }
  const endCommand = () => {
    endWord()
    if (words.length > 0) commands.push(words)
    words = []
  }
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    const next = text.charAt(at + 1)
    if (char === '\\') {
      at += 1
      if (next !== '\n') word = (word ?? '') + next
    } else if (char === '`' || (char === '$' && next === '(')) {
      const end = char === '`' ? endOf(text, at + 1, '`') : endOfGroup(text, at + 2)
      nested.push(text.slice(char === '`' ? at + 1 : at + 2, end))
      word = `${word ?? ''}$(…)`
      at = end
    } else if (char === '"') {
      isQuoted = !isQuoted
      word ??= ''
    } else if (isQuoted) word = (word ?? '') + char
    else if (char === "'") {
      const end = endOf(text, at + 1, "'")
      word = (word ?? '') + text.slice(at + 1, end)
      at = end
    } else if (char === '#' && word === null) at = endOf(text, at, '\n') - 1
    else if (/[ \t\r]/.test(char)) endWord()
    else if (char === '&' && (text.charAt(at - 1) === '>' || next === '>')) word = (word ?? '') + char
    else if (/[;&|()\n]/.test(char)) endCommand()
    else word = (word ?? '') + char
  }
  endCommand()
  return { commands, nested }
}

/** Where this is next, or the end. */
function endOf(text: string, from: number, what: string): number {
  const at = text.indexOf(what, from)
  return at < 0 ? text.length : at
}

/** Where the bracket closes that was opened before. */
function endOfGroup(text: string, from: number): number {
  let open = 1
  let quote = ''
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '\\' && quote !== "'") at += 1
    else if (quote !== '') quote = char === quote ? '' : quote
    else if (char === '"' || char === "'") quote = char
    else if (char === '(') open += 1
    else if (char === ')' && --open === 0) return at
  }
  return text.length
}
