import { isDeepStrictEqual } from 'node:util'
import type { AST } from 'toml-eslint-parser'
import type { JsonRecord } from '../core/json.ts'
import { editRefused, notAList } from './config-error.ts'
import { locateToml, parseToml } from './edit-toml.ts'
import { applyEdits, cutItem, eolOf, isBlank, lineStart, nextLine, splitBom } from './text.ts'
import { definedEntries, tomlKey, tomlLiteral } from './toml-literal.ts'
import { entriesOf, headersOf, samePath, startsWith } from './toml-places.ts'
import { isTable, type KeyPath, valueAt } from './values.ts'

/** Adds one table to the end of a list of tables and keeps every other byte. A missing list is made. */
export async function appendTomlTable(
  text: string,
  keyPath: KeyPath,
  item: unknown,
  filePath: string,
): Promise<string> {
  if (!isTable(item)) throw editRefused(filePath, keyPath)
  const list = valueAt(await parseToml(text, filePath), keyPath) ?? []
  if (!Array.isArray(list)) throw notAList(filePath, keyPath)
  const [bom, body] = splitBom(text)
  const inline = arrayAt(await locateToml(body, filePath), keyPath)
  const next = inline ? appendInline(body, inline, item) : appendHeader(body, keyPath, item)
  return checked(bom + next, keyPath, [...list, item], filePath)
}

/** Takes the tables out that `isOurs` names. Comments between them stay. */
export async function removeTomlTables(
  text: string,
  keyPath: KeyPath,
  isOurs: (item: unknown) => boolean,
  filePath: string,
): Promise<string> {
  const list = valueAt(await parseToml(text, filePath), keyPath)
  if (!Array.isArray(list) || !list.some(isOurs)) return text
  const [bom, body] = splitBom(text)
  let next = body
  for (let index = list.findLastIndex(isOurs); index >= 0; index = list.slice(0, index).findLastIndex(isOurs)) {
    const program = await locateToml(next, filePath)
    const inline = arrayAt(program, keyPath)
    next = inline ? cutElement(next, program, inline, index) : cutTable(next, program, keyPath, index)
  }
  return checked(
    bom + next,
    keyPath,
    list.filter((item) => !isOurs(item)),
    filePath,
  )
}

function arrayAt(program: AST.TOMLProgram, keyPath: KeyPath): AST.TOMLArray | undefined {
  const value = entriesOf(program).find((entry) => samePath(entry.path, keyPath))?.node.value
  return value?.type === 'TOMLArray' ? value : undefined
}

function appendHeader(text: string, keyPath: KeyPath, item: JsonRecord): string {
  const eol = eolOf(text)
  const lines = [
    `[[${tomlKey(keyPath)}]]`,
    ...definedEntries(item).map(([key, value]) => `${tomlKey([key])} = ${tomlLiteral(value)}`),
  ]
  const above = text === '' || text.endsWith('\n') ? text : text + eol
  return `${above}${isBlank(text) ? '' : eol}${lines.join(eol)}${eol}`
}

function appendInline(text: string, array: AST.TOMLArray, item: JsonRecord): string {
  const last = array.elements.at(-1)
  const start = last ? last.range[1] : array.range[0] + 1
  return applyEdits(text, [{ start, end: start, text: `${last ? ', ' : ''}${tomlLiteral(item)}` }])
}

/** The header, its keys, and the empty line that set it off. */
function cutTable(text: string, program: AST.TOMLProgram, keyPath: KeyPath, index: number): string {
  const [header, ...below] = headersOf(program).filter(
    ({ path }) => startsWith(path, keyPath) && path[keyPath.length] === index,
  )
  if (!header) return text
  const last = [header, ...below].at(-1)?.node ?? header.node
  const end = nextLine(text, last.body.at(-1)?.range[1] ?? last.range[1])
  const start = lineStart(text, header.node.range[0])
  const above = start === 0 ? 0 : lineStart(text, start - 1)
  return text.slice(0, above < start && isBlank(text.slice(above, start)) ? above : start) + text.slice(end)
}

function cutElement(text: string, program: AST.TOMLProgram, array: AST.TOMLArray, index: number): string {
  const element = array.elements[index]
  if (!element) return text
  const commaBetween = (from: number, to: number) =>
    program.tokens.find((token) => token.value === ',' && token.range[0] >= from && token.range[1] <= to)?.range[0]
  const [start, end] = element.range
  const previous = array.elements[index - 1]
  const following = commaBetween(end, array.elements[index + 1]?.range[0] ?? array.range[1])
  const preceding = previous && commaBetween(previous.range[1], start)
  return applyEdits(text, cutItem(text, start, end, following ?? preceding ?? null))
}

async function checked(text: string, keyPath: KeyPath, intended: unknown[], filePath: string): Promise<string> {
  const written = valueAt(await parseToml(text, filePath), keyPath) ?? []
  if (!isDeepStrictEqual(written, JSON.parse(JSON.stringify(intended)))) throw editRefused(filePath, keyPath)
  return text
}
