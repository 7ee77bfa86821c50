import { visible } from './terminal-text.ts'

/** Pure text helpers for terminal output. */

/** Two columns in a terminal: the scripts of East Asia with their punctuation, full-width forms, most emoji. */
const WIDE = lazily(
  () =>
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u,
)
/** Asks for the coloured form of the character before it, which is two columns wide. */
const EMOJI_MARK = '\ufe0f'
/** Marks, joiners and other characters that have no column of their own. */
const NO_WIDTH = lazily(() => /^[\p{Mark}\p{Cf}]+$/u)
const PLAIN = /^[\x20-\x7e]*$/

const graphemes = lazily(() => new Intl.Segmenter('en', { granularity: 'grapheme' }))

/** Made when it is first needed: the tables of Unicode take longer to load than most commands take. */
function lazily<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** What a reader sees as one character, which a terminal draws as one: a letter with its marks, a joined emoji. */
function* charactersOf(text: string): Iterable<string> {
  for (const { segment } of graphemes().segment(text)) yield segment
}

function widthOfCharacter(character: string): number {
  if (WIDE().test(character) || character.includes(EMOJI_MARK)) return 2
  return NO_WIDTH().test(character) ? 0 : 1
}

/** Columns that the text takes up, near enough for tables and one-line notes. Knows no escape sequences. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length
  let width = 0
  for (const character of charactersOf(text)) width += widthOfCharacter(character)
  return width
}

/** At most `width` columns, the end marked by `…` when something is cut. */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let cut = ''
  let used = 0
  for (const character of charactersOf(text)) {
    used += widthOfCharacter(character)
    if (used > width - 1) break
    cut += character
  }
  return `${cut}…`
}

/** The beginning that fits into so many columns, and the rest. */
export function splitAt(text: string, width: number): [string, string] {
  let head = ''
  let used = 0
  for (const character of charactersOf(text)) {
    used += widthOfCharacter(character)
    if (used > width) break
    head += character
  }
  return [head, text.slice(head.length)]
}

/** Without control characters but line breaks and tabs: an agent's text must not steer the user's terminal. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get through
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '')
}

export function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim()
}

/** On one line, with all that is hidden in it to be seen: for what somebody is asked to allow. */
export function visibleLine(text: string): string {
  return visible(text.replace(/[ \t\n]+/g, ' ').trim())
}

export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)}s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)}m ${String(seconds % 60).padStart(2, '0')}s`
}

/** Whole seconds, as a running clock shows them. */
export function formatElapsed(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m ${String(seconds % 60).padStart(2, '0')}s`
}

export function formatCount(count: number): string {
  if (count < 1000) return String(count)
  if (count < 999_950) return `${(count / 1000).toFixed(1)}k`
  return `${(count / 1_000_000).toFixed(1)}M`
}

/** Unknown is "unpriced", never $0; an estimate of ours is marked by `~`. */
export function formatCost(cost: { totalUsd: number; source?: string } | null): string {
  if (cost === null) return 'unpriced'
  const digits = cost.totalUsd > 0 && cost.totalUsd < 0.1 ? 4 : 2
  return `${cost.source === 'price-table' ? '~' : ''}$${cost.totalUsd.toFixed(digits)}`
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
