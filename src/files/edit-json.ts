import { isDeepStrictEqual } from 'node:util'
import type { ParseError } from 'jsonc-parser'
import { isRecord, type JsonRecord } from '../core/json.ts'
import { checkKeyPath, configError, editRefused, notATable, parseFailure } from './config-error.ts'
import { findProperty, insertion, JSONC_OPTIONS, removal, replacement } from './json-splice.ts'
import { applyEdits, eolOf, isBlank, positionOf, splitBom, type TextEdit } from './text.ts'
import { type KeyPath, valueAt, withoutValue, withValue } from './values.ts'

// jsonc-parser's own `modify` reformats the lines around an edit, moves comments to another key, drops those before a
// deleted one and breaks `{"a": 1,}`. So only its syntax tree is used here and the text is spliced.

/** The value of JSON with comments and trailing commas; undefined for an empty file. */
export async function parseJsonc(text: string, filePath: string): Promise<unknown> {
  const { parse, printParseErrorCode } = await import('jsonc-parser')
  const [, body] = splitBom(text)
  const errors: ParseError[] = []
  const value: unknown = parse(body, errors, JSONC_OPTIONS)
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
  for (let cut = await keyRemoval(next, keyPath); cut.length > 0; cut = await keyRemoval(next, keyPath)) {
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
  const root = parseTree(text, [], JSONC_OPTIONS)
  if (root === undefined) throw editRefused(filePath, keyPath)
  let parent = root
  for (const [depth, key] of keyPath.entries()) {
    if (parent.type !== 'object') throw notATable(filePath, keyPath.slice(0, depth))
    const node = findProperty(parent, key)?.children?.[1]
    if (node === undefined) {
      const nested = keyPath.slice(depth + 1).reduceRight<unknown>((below, name) => ({ [name]: below }), value)
      return applyEdits(text, await insertion(text, root, parent, { key, value: nested }))
    }
    if (depth === keyPath.length - 1) {
      return applyEdits(text, [replacement(text, root, parent, node, value)])
    }
    parent = node
  }
  throw editRefused(filePath, keyPath)
}

async function keyRemoval(text: string, keyPath: KeyPath): Promise<TextEdit[]> {
  const { parseTree } = await import('jsonc-parser')
  let parent = parseTree(text, [], JSONC_OPTIONS)
  for (const key of keyPath.slice(0, -1)) parent = parent && findProperty(parent, key)?.children?.[1]
  const property = parent && findProperty(parent, keyPath.at(-1) ?? '')
  return parent && property ? removal(text, parent, property) : []
}
