import type { AST } from 'toml-eslint-parser'
import { applyEdits, cutItem, eolOf, indentAt, isBlank, lineEnd, lineStart, nextLine } from './text.ts'
import { definedEntries, tomlKey, tomlLiteral } from './toml-literal.ts'
import { type Entry, entriesOf, type Header, headersOf, homeOf, startsWith } from './toml-places.ts'
import { isTable, type KeyPath } from './values.ts'

/** The text with a key that is not there yet. */
export function insertKey(text: string, program: AST.TOMLProgram, keyPath: KeyPath, value: unknown): string {
  const home = homeOf(program, keyPath)
  if (home.kind === 'inline') return insertInline(text, home.table, pair(home.key, value))
  if (home.kind === 'beside') {
    const { entry } = home
    return entry.inline
      ? insertInline(text, entry.inline, pair(home.key, value))
      : insertBelow(text, entry.node, home.key, value)
  }
  if (isTable(value)) {
    return appendTable(text, keyPath, definedEntries(value))
  }
  if (home.kind === 'header' && home.key.length === 1) {
    const { node } = home.header
    const last = node.body.at(-1)
    return last ? insertBelow(text, last, home.key, value) : insertBelow(text, node.key, home.key, value)
  }
  const name = keyPath.at(-1) ?? ''
  if (keyPath.length === 1) return insertAtTop(text, program, pair([name], value))
  return appendTable(text, keyPath.slice(0, -1), [[name, value]])
}

/** The text without the first of the things that make up `keyPath`; null when there are none. */
export function removeOne(text: string, program: AST.TOMLProgram, keyPath: KeyPath): string | null {
  const entry = entriesOf(program).find((candidate) => startsWith(candidate.path, keyPath))
  if (entry) return entry.inline ? cutInline(text, program, entry, entry.inline) : cutLine(text, entry.node.range)
  // Headers go last and backwards: a header without its keys, or an array's later element, depends on those before it.
  const header = headersOf(program).findLast((candidate) => startsWith(candidate.path, keyPath))
  return header ? cutHeader(text, header) : null
}

function pair(key: KeyPath, value: unknown): string {
  return `${tomlKey(key)} = ${tomlLiteral(value)}`
}

function insertBelow(text: string, node: AST.TOMLNode, key: KeyPath, value: unknown): string {
  const start = lineEnd(text, node.range[1])
  const line = `${eolOf(text)}${indentAt(text, node.range[0])}${pair(key, value)}`
  return applyEdits(text, [{ start, end: start, text: line }])
}

function insertInline(text: string, table: AST.TOMLInlineTable, content: string): string {
  const last = table.body.at(-1)
  if (last) {
    return applyEdits(text, [{ start: last.range[1], end: last.range[1], text: `, ${content}` }])
  }
  const [open, close] = [table.range[0] + 1, table.range[1] - 1]
  const end = isBlank(text.slice(open, close)) ? close : open
  return applyEdits(text, [{ start: open, end, text: ` ${content} ` }])
}

/** A key of the root must come before the first table. */
function insertAtTop(text: string, program: AST.TOMLProgram, line: string): string {
  const eol = eolOf(text)
  const nodes = program.body[0].body
  const last = nodes.findLast((node) => node.type === 'TOMLKeyValue')
  if (last) {
    const start = lineEnd(text, last.range[1])
    return applyEdits(text, [{ start, end: start, text: eol + line }])
  }
  const [first] = nodes
  if (first === undefined) return `${withNewline(text)}${line}${eol}`
  let start = lineStart(text, first.range[0])
  // The comment right above a table is about that table.
  while (
    start > 0 &&
    text
      .slice(lineStart(text, start - 1), start)
      .trimStart()
      .startsWith('#')
  ) {
    start = lineStart(text, start - 1)
  }
  return applyEdits(text, [{ start, end: start, text: `${line}${eol}${eol}` }])
}

function appendTable(text: string, keyPath: KeyPath, entries: [string, unknown][]): string {
  const eol = eolOf(text)
  const lines = [`[${tomlKey(keyPath)}]`, ...entries.map(([key, value]) => pair([key], value))]
  return `${withNewline(text)}${isBlank(text) ? '' : eol}${lines.join(eol)}${eol}`
}

function withNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : text + eolOf(text)
}

/** Takes the line out, or all of it but its comment. */
function cutLine(text: string, [start, end]: readonly [number, number]): string {
  if (!isBlank(text.slice(end, lineEnd(text, end)))) return text.slice(0, start) + text.slice(end).trimStart()
  const above = text.slice(0, lineStart(text, start))
  const below = text.slice(nextLine(text, end))
  // The last line without a newline takes the newline before it along.
  return text.endsWith('\n') || below !== '' ? above + below : above.replace(/\r?\n$/, '')
}

function cutHeader(text: string, { node }: Header): string {
  const from = lineStart(text, node.range[0])
  const close = text.indexOf(']', node.key.range[1])
  const end = close + (node.kind === 'array' ? 2 : 1)
  const above = from === 0 ? from : lineStart(text, from - 1)
  const isAlone = isBlank(text.slice(end, lineEnd(text, end)))
  // With the empty line that set it off.
  if (isAlone && above < from && isBlank(text.slice(above, from))) {
    return text.slice(0, above) + text.slice(nextLine(text, end))
  }
  return cutLine(text, [node.range[0], end])
}

function cutInline(text: string, program: AST.TOMLProgram, entry: Entry, table: AST.TOMLInlineTable): string {
  const index = table.body.indexOf(entry.node)
  const [start, end] = entry.node.range
  const commaBetween = (from: number, to: number) =>
    program.tokens.find((token) => token.value === ',' && token.range[0] >= from && token.range[1] <= to)?.range[0]
  const following = commaBetween(end, table.body[index + 1]?.range[0] ?? table.range[1])
  const previous = table.body[index - 1]
  const preceding = previous && commaBetween(previous.range[1], start)
  return applyEdits(text, cutItem(text, start, end, following ?? preceding ?? null))
}
