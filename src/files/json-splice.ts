import type { Node } from 'jsonc-parser'
import { cutItem, eolOf, indentAt, isBlank, lineEnd, type TextEdit } from './text.ts'

/** Text edits on JSON with comments, from places in its syntax tree. */

export const JSONC_OPTIONS = { allowTrailingComma: true, allowEmptyContent: true }

/** The last one counts where a key is written twice: that is what every parser makes of it. */
export function findProperty(object: Node, key: string): Node | undefined {
  return object.children?.findLast((property) => property.children?.[0]?.value === key)
}

/** `key` null: an item of a list. */
interface Member {
  key: string | null
  value: unknown
}

interface Layout {
  /** One step of indentation; empty: everything on one line. */
  unit: string
  indent: string
  eol: string
}

/** A value of another value's place. */
export function replacement(text: string, root: Node, parent: Node, node: Node, value: unknown): TextEdit {
  const literal = write(layoutIn(text, root, parent, node.offset), value)
  return { start: node.offset, end: node.offset + node.length, text: literal }
}

/** A property or an item after all others of `parent`. */
export async function insertion(text: string, root: Node, parent: Node, member: Member): Promise<TextEdit[]> {
  const last = parent.children?.at(-1)
  if (last === undefined) return fillEmpty(text, root, parent, member)
  const end = last.offset + last.length
  const layout = layoutIn(text, root, parent, last.offset)
  if (layout.unit === '') {
    const space = text[last.colonOffset === undefined ? end : last.colonOffset + 1] === ' ' || parent.type === 'array'
    const gap = space ? ' ' : ''
    return [{ start: end, end, text: `,${gap}${writeMember(layout, member, gap)}` }]
  }
  const content = `${layout.eol}${layout.indent}${writeMember(layout, member)}`
  const comma = await commaAfter(text, end)
  if (comma !== null) {
    const start = afterComments(text, comma + 1)
    return [{ start, end: start, text: `${content},` }]
  }
  const start = afterComments(text, end)
  return [
    { start: end, end, text: ',' },
    { start, end: start, text: content },
  ]
}

/** A property or an item of `parent` taken out. Comments around it stay. */
export async function removal(text: string, parent: Node, child: Node): Promise<TextEdit[]> {
  const start = child.offset
  const end = start + child.length
  const following = await commaAfter(text, end)
  const open = parent.offset + 1
  const close = parent.offset + parent.length - 1
  if (parent.children?.length === 1) {
    const after =
      following === null ? text.slice(end, close) : text.slice(end, following) + text.slice(following + 1, close)
    const rest = text.slice(open, start) + after
    if (isBlank(rest)) return [{ start: open, end: close, text: '' }]
  }
  const index = parent.children?.indexOf(child) ?? 0
  const previous = parent.children?.[index - 1]
  const preceding = previous && index > 0 ? await commaAfter(text, previous.offset + previous.length) : null
  return cutItem(text, start, end, following ?? preceding)
}

/** How a value inside `parent` is laid out: on one line when `parent` is, else indented like the line it is on. */
function layoutIn(text: string, root: Node, parent: Node, offset: number): Layout {
  const first = parent.children?.[0]
  const spread = first === undefined || text.slice(parent.offset, first.offset).includes('\n')
  return { unit: spread ? indentUnit(text, root) : '', indent: indentAt(text, offset), eol: eolOf(text) }
}

function indentUnit(text: string, root: Node): string {
  const first = root.children?.[0]
  return (first && text.slice(root.offset, first.offset).includes('\n') && indentAt(text, first.offset)) || '  '
}

function write(layout: Layout, value: unknown): string {
  if (layout.unit === '') return JSON.stringify(value)
  return JSON.stringify(value, null, layout.unit).replaceAll('\n', layout.eol + layout.indent)
}

function writeMember(layout: Layout, { key, value }: Member, gap = ' '): string {
  return key === null ? write(layout, value) : `${JSON.stringify(key)}:${gap}${write(layout, value)}`
}

function fillEmpty(text: string, root: Node, parent: Node, member: Member): TextEdit[] {
  const close = parent.offset + parent.length - 1
  const outer = indentAt(text, parent.offset)
  const unit = indentUnit(text, root)
  const layout = { unit, indent: outer + unit, eol: eolOf(text) }
  const start = parent.offset + 1 + text.slice(parent.offset + 1, close).trimEnd().length
  const content = `${layout.eol}${layout.indent}${writeMember(layout, member)}${layout.eol}${outer}`
  return [{ start, end: close, text: content }]
}

/** Behind the comments that end this line: they belong to what is before them. */
function afterComments(text: string, offset: number): number {
  const line = text.slice(offset, lineEnd(text, offset))
  return offset + (/^(?:[ \t]*\/\*(?:(?!\*\/).)*\*\/)*(?:[ \t]*\/\/.*)?/.exec(line)?.[0].length ?? 0)
}

async function commaAfter(text: string, offset: number): Promise<number | null> {
  const { createScanner } = await import('jsonc-parser')
  const scanner = createScanner(text, true)
  scanner.setPosition(offset)
  scanner.scan()
  const start = scanner.getTokenOffset()
  return text[start] === ',' ? start : null
}
