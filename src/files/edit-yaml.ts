import { isDeepStrictEqual } from 'node:util'
import type { Document } from 'yaml'
import { isRecord, type JsonRecord } from '../core/json.ts'
import { checkKeyPath, configError, editRefused, notATable, parseFailure } from './config-error.ts'
import { isTable, type KeyPath, valueAt, withoutValue, withValue } from './values.ts'

/** The value of a YAML document; undefined for an empty file. */
export async function parseYaml(text: string, filePath: string): Promise<unknown> {
  const value: unknown = (await readDocument(text, filePath)).toJS()
  return value ?? undefined
}

/** Sets one value and keeps comments and the other values. Missing tables are made. */
export async function setYamlValue(
  text: string,
  keyPath: KeyPath,
  value: unknown,
  filePath = 'the YAML text',
): Promise<string> {
  const document = await readDocument(text, filePath)
  const before = tableOf(document, keyPath, filePath)
  for (let depth = 1; depth < keyPath.length; depth++) {
    const above = keyPath.slice(0, depth)
    const there = valueAt(before, above)
    if (there !== undefined && !isTable(there)) throw notATable(filePath, above)
  }
  if (document.contents === null) document.contents = document.createNode({})
  // A plain value goes into the node that is there, with the comment beside it.
  document.setIn([...keyPath], typeof value === 'object' ? document.createNode(value) : value)
  return checked(document, text, withValue(before, keyPath, value), keyPath, filePath)
}

/** Takes one key out, and the tables above it that are left empty. A text without that key is returned as it is. */
export async function deleteYamlValue(text: string, keyPath: KeyPath, filePath = 'the YAML text'): Promise<string> {
  const document = await readDocument(text, filePath)
  const before = tableOf(document, keyPath, filePath)
  if (valueAt(before, keyPath) === undefined) return text
  const after = withoutValue(before, keyPath)
  // The highest of them goes with all below it.
  let depth = keyPath.length
  while (depth > 1 && valueAt(after, keyPath.slice(0, depth - 1)) === undefined) depth -= 1
  document.deleteIn(keyPath.slice(0, depth))
  return checked(document, text, after, keyPath, filePath)
}

async function readDocument(text: string, filePath: string): Promise<Document> {
  const { parseDocument } = await import('yaml')
  const document = parseDocument(text)
  const [error] = document.errors
  if (error === undefined) return document
  const { line, col } = error.linePos?.[0] ?? { line: 1, col: 1 }
  throw parseFailure(filePath, error.code, line, col)
}

function tableOf(document: Document, keyPath: KeyPath, filePath: string): JsonRecord {
  checkKeyPath(filePath, keyPath)
  const value: unknown = document.toJS() ?? {}
  if (isRecord(value)) return value
  throw configError(`${filePath} does not hold a YAML mapping`, `Correct ${filePath} by hand; it was left as it is.`)
}

/** Anchors and merges put one value in several places: then an edit may mean more than was asked for. */
function checked(document: Document, text: string, intended: JsonRecord, keyPath: KeyPath, filePath: string): string {
  if (!isDeepStrictEqual(document.toJS() ?? {}, intended)) throw editRefused(filePath, keyPath)
  // Lines and brackets are left as they are.
  return document.toString({ lineWidth: 0, flowCollectionPadding: /[[{] /.test(text) })
}
