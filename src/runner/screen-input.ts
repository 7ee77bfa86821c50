import type { TerminalKeys } from '../contract/terminal.ts'

/** The text in the agent's input field, without marks and frames; null when no such field is shown. */
export function inputText(
  lines: readonly string[],
  { inputMark, inputFrame }: Pick<TerminalKeys, 'inputMark' | 'inputFrame'>,
): string | null {
  if (inputMark !== undefined) {
    const bare = lines.map((line) => line.trimStart().replace(/^[│┃|] */, ''))
    return bare.map((line) => afterMark(line, inputMark)).findLast((text) => text !== null) ?? null
  }
  if (inputFrame === undefined) return null
  const edges = lines.flatMap((line, index) => (inputFrame.test(line) ? [index] : []))
  const [top, bottom] = edges.slice(-2)
  return top === undefined || bottom === undefined ? null : lines.slice(top + 1, bottom).join('\n')
}

function afterMark(line: string, mark: string | RegExp): string | null {
  const length = typeof mark === 'string' ? (line.startsWith(mark) ? mark.length : null) : mark.exec(line)?.[0].length
  return length == null ? null : line.slice(length)
}

/** Whether it is there, as it was typed or as the agent names something long that was pasted. */
export function holdsText(input: string, text: string): boolean {
  const [first = ''] = text.trimStart().split('\n')
  const needle = plain(first).slice(0, NEEDLE_CHARACTERS).trimEnd()
  return plain(input).includes(needle) || /\[Pasted /i.test(input)
}

/** Enough to know a message by, and less than a line. */
const NEEDLE_CHARACTERS = 24

function plain(text: string): string {
  return text.replace(/\s+/g, ' ')
}
