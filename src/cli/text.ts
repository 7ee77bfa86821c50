/** Pure text helpers for terminal output. */

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}]/u
const MARK = /\p{Mark}/u

function widthOfCharacter(character: string): number {
  if (WIDE.test(character)) return 2
  return MARK.test(character) ? 0 : 1
}

/** Columns that the text takes up, near enough for tables and one-line notes. Knows no escape sequences. */
export function displayWidth(text: string): number {
  let width = 0
  for (const character of text) width += widthOfCharacter(character)
  return width
}

/** At most `width` columns, the end marked by `…` when something is cut. */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let cut = ''
  let used = 0
  for (const character of text) {
    used += widthOfCharacter(character)
    if (used > width - 1) break
    cut += character
  }
  return `${cut}…`
}

/** Without control characters but line breaks and tabs: an agent's text must not steer the user's terminal. */
export function printable(text: string): string {
  return text.replace(/(?![\n\t])\p{Cc}/gu, '')
}

export function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim()
}

export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)}s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)}m ${String(seconds % 60).padStart(2, '0')}s`
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
