import { isDeepStrictEqual } from 'node:util'
import type { AST } from 'toml-eslint-parser'
import type { JsonRecord } from '../core/json.ts'
import { checkKeyPath, configError, editRefused, notATable, parseFailure } from './config-error.ts'
import { splitBom } from './text.ts'
import { definedEntries, tomlLiteral } from './toml-literal.ts'
import { entriesOf, samePath } from './toml-places.ts'
import { insertKey, removeOne } from './toml-splice.ts'
import { isTable, type KeyPath, valueAt, withoutValue, withValue } from './values.ts'

/** A TOML document as plain data: dates become ISO strings, integers past 2^53 the nearest number. */
export async function parseToml(text: string, filePath: string): Promise<JsonRecord> {
  return (await loadParsers(filePath)).read(splitBom(text)[1])
}

/** Where everything is in a TOML text that has no byte order mark. */
export async function locateToml(body: string, filePath: string): Promise<AST.TOMLProgram> {
  return (await loadParsers(filePath)).locate(body)
}

/** Sets one value and keeps every other byte. Missing tables are added at the end. */
export async function setTomlValue(
  text: string,
  keyPath: KeyPath,
  value: unknown,
  filePath = 'the TOML text',
): Promise<string> {
  checkKeyPath(filePath, keyPath)
  const parsers = await loadParsers(filePath)
  const [bom, body] = splitBom(text)
  const before = parsers.read(body)
  for (let length = 1; length < keyPath.length; length++) {
    const above = valueAt(before, keyPath.slice(0, length))
    if (above !== undefined && !isTable(above)) throw notATable(filePath, keyPath.slice(0, length))
  }
  const next = replace(parsers, body, keyPath, value)
  const intended = withValue(before, keyPath, parsers.readValue(value))
  if (!isDeepStrictEqual(parsers.read(next), intended)) throw editRefused(filePath, keyPath)
  return bom + next
}

/** Takes one key or table out. Comments around it stay; a text without that key is returned as it is. */
export async function deleteTomlValue(text: string, keyPath: KeyPath, filePath = 'the TOML text'): Promise<string> {
  checkKeyPath(filePath, keyPath)
  const parsers = await loadParsers(filePath)
  const [bom, body] = splitBom(text)
  const before = parsers.read(body)
  if (valueAt(before, keyPath) === undefined) return text
  const next = remove(parsers, body, keyPath)
  const after = parsers.read(next)
  const others = withoutValue(after, keyPath)
  if (valueAt(after, keyPath) !== undefined || !isDeepStrictEqual(others, withoutValue(before, keyPath))) {
    throw editRefused(filePath, keyPath)
  }
  return bom + next
}

type Parsers = Awaited<ReturnType<typeof loadParsers>>

// Both are only loaded by those who meet a TOML file. One knows where things are, the other is the judge of meaning.
async function loadParsers(filePath: string) {
  const [{ parseTOML }, { parse, TomlError }] = await Promise.all([import('toml-eslint-parser'), import('smol-toml')])
  const read = (body: string): JsonRecord => {
    try {
      return plainTable(parse(body, { integersAsBigInt: 'asNeeded' }))
    } catch (error) {
      if (!(error instanceof TomlError)) throw error
      // Below the first line the message quotes the file.
      const [problem = ''] = error.message.split('\n')
      throw parseFailure(filePath, problem.replace('Invalid TOML document: ', ''), error.line, error.column)
    }
  }
  return {
    read,
    readValue: (value: unknown): unknown => read(`value = ${tomlLiteral(value)}`).value,
    locate: (body: string) => {
      try {
        // 1.1 because the reader takes it too; it only allows more. The newline because toml-eslint-parser 1.0.3 gives
        // a `0` at the very end of the text a range without its last character.
        return parseTOML(`${body}\n`, { tomlVersion: '1.1' })
      } catch {
        throw configError(`${filePath} can be read but not edited`, `Make this change in ${filePath} by hand.`)
      }
    },
  }
}

function plainTable(table: object): JsonRecord {
  return Object.fromEntries(Object.entries(table).map(([key, value]) => [key, plainValue(value)]))
}

function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(plainValue)
  return isTable(value) ? plainTable(value) : value
}

function replace(parsers: Parsers, body: string, keyPath: KeyPath, value: unknown): string {
  const current = valueAt(parsers.read(body), keyPath)
  if (current === undefined) return insertKey(body, parsers.locate(body), keyPath, value)
  if (isDeepStrictEqual(current, parsers.readValue(value))) return body
  if (isTable(current) && isTable(value)) return replaceTable(parsers, body, keyPath, current, value)
  const entry = entriesOf(parsers.locate(body)).find((candidate) => samePath(candidate.path, keyPath))
  if (entry) {
    const [start, end] = entry.node.value.range
    return body.slice(0, start) + tomlLiteral(value) + body.slice(end)
  }
  const without = remove(parsers, body, keyPath)
  return insertKey(without, parsers.locate(without), keyPath, value)
}

/** Key by key, so that the form of the table and the comments in it stay. */
function replaceTable(
  parsers: Parsers,
  body: string,
  keyPath: KeyPath,
  current: JsonRecord,
  value: JsonRecord,
): string {
  const wanted = new Map(definedEntries(value))
  let next = body
  for (const [key, item] of wanted) next = replace(parsers, next, [...keyPath, key], item)
  for (const key of Object.keys(current)) {
    if (!wanted.has(key)) next = remove(parsers, next, [...keyPath, key])
  }
  const isGone = valueAt(parsers.read(next), keyPath) === undefined
  return isGone ? insertKey(next, parsers.locate(next), keyPath, value) : next
}

function remove(parsers: Parsers, body: string, keyPath: KeyPath): string {
  let next = body
  for (let cut: string | null = body; cut !== null; cut = removeOne(next, parsers.locate(next), keyPath)) next = cut
  return next
}
