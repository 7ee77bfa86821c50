import type { ScreenText } from '../contract/launch.ts'

const MAX_LINES = 8
const MAX_LENGTH = 400
const HAS_WORDS = /\p{L}{2}/u

/** What a program left on its screen, on one line and without its drawings: often why it has exited. */
export function lastWords({ lines }: Pick<ScreenText, 'lines'>): string {
  const said = lines.map((line) => line.trim()).filter((line) => HAS_WORDS.test(line))
  const text = said.slice(-MAX_LINES).join(' ').replace(/\s+/g, ' ')
  return text.length <= MAX_LENGTH ? text : `…${text.slice(1 - MAX_LENGTH)}`
}
