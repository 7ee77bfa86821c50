/** Small steps on text that both editors take. Offsets are in UTF-16 units, as in both parsers. */

export interface TextEdit {
  start: number
  end: number
  text: string
}

/** Edits must not overlap; offsets are those of the text before any of them; at one offset the given order counts. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = ''
  let done = 0
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(done, edit.start) + edit.text
    done = edit.end
  }
  return result + text.slice(done)
}

export function eolOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

export function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1
}

/** Where the line's own characters end, before CR LF or LF. */
export function lineEnd(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset)
  if (newline === -1) return text.length
  return newline > offset && text[newline - 1] === '\r' ? newline - 1 : newline
}

/** Where the next line starts; the text's length when there is none. */
export function nextLine(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset)
  return newline === -1 ? text.length : newline + 1
}

export function isBlank(text: string): boolean {
  return text.trim() === ''
}

/** The white space that the line of `offset` starts with. */
export function indentAt(text: string, offset: number): string {
  const line = text.slice(lineStart(text, offset), offset)
  return line.slice(0, line.length - line.trimStart().length)
}

export function splitBom(text: string): [bom: string, body: string] {
  return text.startsWith('\uFEFF') ? ['\uFEFF', text.slice(1)] : ['', text]
}

export function positionOf(text: string, offset: number): { line: number; column: number } {
  const start = lineStart(text, offset)
  return { line: text.slice(0, start).split('\n').length, column: offset - start + 1 }
}

/**
 * Takes an item out of a list between braces together with one of its commas (`comma` is that comma's offset), and
 * its line when nothing else is there. Comments stay.
 */
export function cutItem(text: string, start: number, end: number, comma: number | null): TextEdit[] {
  const joined = comma !== null && comma >= end && /^[ \t]*$/.test(text.slice(end, comma))
  const stop = joined && comma !== null ? comma + 1 : end
  const edits = comma === null || joined ? [] : [{ start: comma, end: comma + 1, text: '' }]
  const before = text.slice(lineStart(text, start), start)
  const after = text.slice(stop, lineEnd(text, stop))
  if (isBlank(before) && isBlank(after) && nextLine(text, stop) < text.length) {
    return [...edits, { start: start - before.length, end: nextLine(text, stop), text: '' }]
  }
  if (isBlank(before)) {
    return [...edits, { start, end: stop + after.length - after.trimStart().length, text: '' }]
  }
  return [...edits, { start: start - (before.length - before.trimEnd().length), end: stop, text: '' }]
}
