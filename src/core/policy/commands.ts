import { quoteWord } from '../command-line.ts'
import { readShell, type ShellScript, type ShellWord } from './shell-words.ts'

/** One simple command as rules see it. */
export interface SimpleCommand {
  /** Its words, quoted where they need it, with one blank between them. */
  line: string
  /** Other ways to write the same, for rules that forbid: without variables, path, `sudo` and the like. */
  forms: string[]
  words: ShellWord[]
}

export interface Commands {
  commands: SimpleCommand[]
  reads: ShellWord[]
  writes: ShellWord[]
  /** It changes the directory, so that relative paths in it are elsewhere. */
  moves: boolean
}

const SHELL = /^(?:\/(?:usr\/(?:local\/)?)?bin\/)?(?:bash|sh|zsh|dash)$/
const SCRIPT_FLAG = /^-(?:c|lc|cl)$/
const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/
const DEEPEST = 4

/** Words of the shell's own language, and commands that run what they are given as text. */
const BEYOND: ReadonlySet<string> = new Set([
  ...['if', 'then', 'else', 'elif', 'fi', 'for', 'while', 'until', 'do', 'done', 'case', 'esac', 'function', 'select'],
  ...['in', '{', '}', '[[', ']]', '!', 'coproc', 'eval', 'source', '.', 'trap', 'alias', 'fc', 'bind', 'hash'],
])

/** They run the command that follows. */
const WRAPPERS: ReadonlySet<string> = new Set([
  ...['sudo', 'doas', 'env', 'command', 'builtin', 'exec', 'nohup', 'time', 'nice', 'ionice', 'setsid', 'stdbuf'],
  ...['timeout', 'xargs', 'busybox', 'chroot', 'unshare', 'caffeinate', 'watch', 'parallel'],
])

/** The simple commands of a line. Null: the line is not understood. */
export function simpleCommands(line: string, depth = 0): Commands | null {
  const script = depth > DEEPEST ? null : readShell(line)
  return script === null || script.commands.length === 0 ? null : commandsIn(script, depth)
}

function commandsIn({ commands, reads, writes }: ShellScript, depth: number): Commands | null {
  const found: Commands = { commands: [], reads: [...reads], writes: [...writes], moves: false }
  for (const words of commands) {
    const [first, flag, script] = words
    if (first === undefined || first.isDynamic || first.text === '' || BEYOND.has(first.text)) return null
    const isScript = SHELL.test(first.text) && flag !== undefined && SCRIPT_FLAG.test(flag.text)
    if (!isScript) {
      found.commands.push(simpleCommand(words))
      found.moves ||= words.some(({ text }) => /^(?:cd|pushd|popd|chdir)$/.test(text))
      continue
    }
    if (words.length !== 3 || script === undefined || script.isDynamic) return null
    const inner = simpleCommands(script.text, depth + 1)
    if (inner === null) return null
    found.commands.push(...inner.commands)
    found.reads.push(...inner.reads)
    found.writes.push(...inner.writes)
    found.moves ||= inner.moves
  }
  return found
}

function simpleCommand(words: ShellWord[]): SimpleCommand {
  const texts = words.map(({ text }) => text)
  return { line: lineOf(texts), forms: formsOf(texts), words }
}

function lineOf(texts: readonly string[]): string {
  return texts
    .map((text) => (text.startsWith('~') && /^[\w@%+=:,./~-]+$/.test(text) ? text : quoteWord(text)))
    .join(' ')
}

/** The line from each word on that may be the name of a command: the first, and what a wrapper runs. */
function formsOf(texts: readonly string[]): string[] {
  const forms: string[] = [lineOf(texts)]
  let at = 0
  let isWrapped = true
  while (isWrapped && at < texts.length) {
    while (ASSIGNMENT.test(texts[at] ?? '')) at += 1
    const rest = texts.slice(at)
    const name = rest[0]?.split('/').at(-1)
    if (name === undefined) break
    forms.push(lineOf(rest), lineOf([name, ...rest.slice(1)]))
    isWrapped = WRAPPERS.has(name.toLowerCase())
    // Which of the words that follow are its own, only the wrapper knows: each of them may be the command.
    if (isWrapped) for (let next = 1; next < rest.length; next++) forms.push(...startingAt(rest.slice(next)))
    at += 1
  }
  return [...new Set(forms)]
}

function startingAt(rest: readonly string[]): string[] {
  return [lineOf(rest), lineOf([rest[0]?.split('/').at(-1) ?? '', ...rest.slice(1)])]
}
