import { randomBytes } from 'node:crypto'

/**
 * All text on its way to a terminal goes through `terminalText`. What steers a terminal or hides in a text becomes
 * visible, wherever it comes from. Only what `own` has marked passes: the colours and line controls of our commands.
 */

/** Nobody who writes a text for us to show can know it. */
const MARK = `\ue000${randomBytes(8).toString('hex')}\ue001`
const MARKED = new RegExp(`${MARK}([0-9a-f]+);`, 'g')

/** A control sequence of ours. */
export function own(sequence: string): string {
  return `${MARK}${Buffer.from(sequence).toString('hex')};`
}

/** The text as it is seen: without the control sequences of ours. */
export function unmarked(text: string): string {
  return text.includes(MARK) ? text.replace(MARKED, '') : text
}

/** Control characters but line feed and tab, what changes the direction of a text, and what cannot be seen. */
const HOSTILE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get through
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu

/** What controls even a terminal behind a pipe: `| tee`, `| head` and `| less -R` pass everything on. */
const STEERING =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g

/** A joiner between letters or pictures belongs to them; beside plain text it only hides something. */
const JOINER =
  /(?<!\p{L}|\p{M}|\p{Emoji_Presentation}|\p{Extended_Pictographic})[\u200c\u200d]|[\u200c\u200d](?![^ -~])/gu

/** As JSON would write it: within JSON it stays the same value. */
function escaped(found: string): string {
  return Array.from({ length: found.length }, (_, i) => found.charCodeAt(i))
    .map((code) => `\\u${code.toString(16).padStart(4, '0')}`)
    .join('')
}

/** A text in which everything can be seen that is in it. */
export function visible(text: string): string {
  return text.replace(HOSTILE, escaped).replace(JOINER, escaped)
}

/** What is written for this text: nothing that steers a terminal but what is ours. Elsewhere what is only hidden stays. */
export function terminalText(text: string, isTerminal: boolean): string {
  const safe = isTerminal ? visible(text.replaceAll('\r\n', '\n')) : text.replace(STEERING, escaped)
  return safe.includes(MARK) ? safe.replace(MARKED, (_, hex: string) => Buffer.from(hex, 'hex').toString()) : safe
}
