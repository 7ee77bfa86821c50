import { isDeepStrictEqual } from 'node:util'
import type { Node, ParseError } from 'jsonc-parser'
import { isRecord, type JsonRecord } from '../core/json.ts'
import { checkKeyPath, configError, editRefused, notATable, parseFailure } from './config-error.ts'
import { applyEdits, cutItem, eolOf, indentAt, isBlank, lineEnd, positionOf, splitBom, type TextEdit } from './text.ts'
import { type KeyPath, valueAt, withoutValue, withValue } from './values.ts'

// jsonc-parser's own `modify` reformats the lines around an edit, moves comments to another key, drops those before a
// deleted one and breaks `{"a": 1,}`. So only its syntax tree is used here and the text is spliced.
const OPTIONS = { allowTrailingComma: true, allowEmptyContent: true }

/** The value of JSON with comments and trailing commas; undefined for an empty file. */
export async function parseJsonc(text: string, filePath: string): Promise<unknown> {
  const { parse, printParseErrorCode } = await import('jsonc-parser')
  const [, body] = splitBom(text)
  const errors: ParseError[] = []
  const value: unknown = parse(body, errors, OPTIONS)
  const [error] = errors
  if (error === undefined) return value
  const { line, column } = positionOf(body, error.offset)
  throw parseFailure(filePath, printParseErrorCode(error.error), line, column)
}

/** Sets one value and keeps every other byte. Missing objects are made, an empty text becomes an object. */
export async function setJsonValue(
  text: string,
  keyPath: KeyPath,
  value: unknown,
  filePath = 'the JSON text',
): Promise<string> {
  const before = await readObject(text, keyPath, filePath)
  const plain = jsonValue(value, keyPath, filePath)
  const [bom, body] = splitBom(text)
  const next = bom + (await insertOrReplace(withRoot(body, before), keyPath, plain, filePath))
  const intended = withValue(before ?? {}, keyPath, plain)
  if (!isDeepStrictEqual(await parseJsonc(next, filePath), intended)) throw editRefused(filePath, keyPath)
  return next
}

/** Takes one key out. Comments around it stay; a text without that key is returned as it is. */
export async function deleteJsonValue(text: string, keyPath: KeyPath, filePath = 'the JSON text'): Promise<string> {
  const before = await readObject(text, keyPath, filePath)
  if (before === undefined || valueAt(before, keyPath) === undefined) return text
  const [bom, body] = splitBom(text)
  let next = body
  // More than once where a key is written twice.
  for (let cut = await removal(next, keyPath); cut.length > 0; cut = await removal(next, keyPath)) {
    next = applyEdits(next, cut)
  }
  const after = await parseJsonc(bom + next, filePath)
  const others = isRecord(after) ? withoutValue(after, keyPath) : undefined
  if (valueAt(after, keyPath) !== undefined || !isDeepStrictEqual(others, withoutValue(before, keyPath))) {
    throw editRefused(filePath, keyPath)
  }
  return bom + next
}

async function readObject(text: string, keyPath: KeyPath, filePath: string): Promise<JsonRecord | undefined> {
  checkKeyPath(filePath, keyPath)
  const value = await parseJsonc(text, filePath)
  if (value === undefined || isRecord(value)) return value
  throw configError(`${filePath} does not hold a JSON object`, `Correct ${filePath} by hand; it was left as it is.`)
}

/** What JSON makes of a value: undefined properties are gone, dates are strings. */
function jsonValue(value: unknown, keyPath: KeyPath, filePath: string): unknown {
  const json = JSON.stringify(value)
  if (json === undefined)
    throw configError(`The value for ${keyPath.join('.')} in ${filePath} cannot be written as JSON`)
  const plain: unknown = JSON.parse(json)
  return plain
}

function withRoot(body: string, value: JsonRecord | undefined): string {
  if (value !== undefined) return body
  const eol = eolOf(body)
  return isBlank(body) ? `{}${eol}` : `${body.trimEnd()}${eol}{}${eol}`
}

async function insertOrReplace(text: string, keyPath: KeyPath, value: unknown, filePath: string): Promise<string> {
  const { parseTree } = await import('jsonc-parser')
  const root = parseTree(text, [], OPTIONS)
  if (root === undefined) throw editRefused(filePath, keyPath)
  let parent = root
  for (const [depth, key] of keyPath.entries()) {
    if (parent.type !== 'object') throw notATable(filePath, keyPath.slice(0, depth))
    const node = findProperty(parent, key)?.children?.[1]
    if (node === undefined) {
      const nested = keyPath.slice(depth + 1).reduceRight<unknown>((below, name) => ({ [name]: below }), value)
      return applyEdits(text, await insertion(text, root, parent, key, nested))
    }
    if (depth === keyPath.length - 1) {
      const literal = write(layoutIn(text, root, parent, node.offset), value)
      return applyEdits(text, [{ start: node.offset, end: node.offset + node.length, text: literal }])
    }
    parent = node
  }
  throw editRefused(filePath, keyPath)
}

/** The last one counts where a key is written twice: that is what every parser makes of it. */
function findProperty(object: Node, key: string): Node | undefined {
  return object.children?.findLast((property) => property.children?.[0]?.value === key)
}

interface Layout {
  /** One step of indentation; empty: everything on one line. */
  unit: string
  indent: string
  eol: string
}

/** How a value inside `parent` is laid out: on one line when `parent` is, else indented like the line it stands on. */
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

async function insertion(text: string, root: Node, parent: Node, key: string, value: unknown): Promise<TextEdit[]> {
  const last = parent.children?.at(-1)
  if (last === undefined) return fillEmpty(text, root, parent, key, value)
  const end = last.offset + last.length
  const layout = layoutIn(text, root, parent, last.offset)
  if (layout.unit === '') {
    const space = text[(last.colonOffset ?? end) + 1] === ' ' ? ' ' : ''
    return [{ start: end, end, text: `,${space}${JSON.stringify(key)}:${space}${write(layout, value)}` }]
  }
  const property = `${layout.eol}${layout.indent}${JSON.stringify(key)}: ${write(layout, value)}`
  const comma = await commaAfter(text, end)
  if (comma !== null) {
    const start = afterComments(text, comma + 1)
    return [{ start, end: start, text: `${property},` }]
  }
  const start = afterComments(text, end)
  return [
    { start: end, end, text: ',' },
    { start, end: start, text: property },
  ]
}

function fillEmpty(text: string, root: Node, parent: Node, key: string, value: unknown): TextEdit[] {
  const close = parent.offset + parent.length - 1
  const outer = indentAt(text, parent.offset)
  const layout = { unit: indentUnit(text, root), indent: outer, eol: eolOf(text) }
  layout.indent += layout.unit
  const start = parent.offset + 1 + text.slice(parent.offset + 1, close).trimEnd().length
  const property = `${JSON.stringify(key)}: ${write(layout, value)}`
  return [{ start, end: close, text: `${layout.eol}${layout.indent}${property}${layout.eol}${outer}` }]
}

/** Behind the comments that end this line: they belong to what stands before them. */
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

async function removal(text: string, keyPath: KeyPath): Promise<TextEdit[]> {
  const { parseTree } = await import('jsonc-parser')
  let parent = parseTree(text, [], OPTIONS)
  for (const key of keyPath.slice(0, -1)) parent = parent && findProperty(parent, key)?.children?.[1]
  const property = parent && findProperty(parent, keyPath.at(-1) ?? '')
  if (parent === undefined || property === undefined) return []
  const start = property.offset
  const end = start + property.length
  const following = await commaAfter(text, end)
  const open = parent.offset + 1
  const close = parent.offset + parent.length - 1
  if (parent.children?.length === 1) {
    const rest = text.slice(open, start) + text.slice(following === null ? end : following + 1, close)
    if (isBlank(rest)) return [{ start: open, end: close, text: '' }]
  }
  const index = parent.children?.indexOf(property) ?? 0
  const previous = parent.children?.[index - 1]
  const preceding = previous && index > 0 ? await commaAfter(text, previous.offset + previous.length) : null
  return cutItem(text, start, end, following ?? preceding)
}
