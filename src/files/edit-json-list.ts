import { isDeepStrictEqual } from 'node:util'
import { editRefused, notAList } from './config-error.ts'
import { parseJsonc, setJsonValue } from './edit-json.ts'
import { findProperty, insertion, JSONC_OPTIONS, removal } from './json-splice.ts'
import { applyEdits, splitBom } from './text.ts'
import { type KeyPath, valueAt } from './values.ts'

/** Adds one item to the end of a list and keeps every other byte. A missing list is made. */
export async function appendJsonItem(text: string, keyPath: KeyPath, item: unknown, filePath: string): Promise<string> {
  const document = await parseJsonc(text, filePath)
  const list = valueAt(document, keyPath)
  // `"hooks": null` is the same as an empty `hooks:` in YAML: it is replaced by what belongs there.
  const depth = keyPath.findIndex((_, at) => valueAt(document, keyPath.slice(0, at + 1)) === null) + 1
  if (depth > 0) {
    const value = keyPath.slice(depth).reduceRight<unknown>((below, key) => ({ [key]: below }), [item])
    return setJsonValue(text, keyPath.slice(0, depth), value, filePath)
  }
  if (list === undefined) return setJsonValue(text, keyPath, [item], filePath)
  if (!Array.isArray(list)) throw notAList(filePath, keyPath)
  const [bom, body] = splitBom(text)
  const { root, node } = await findNode(body, keyPath)
  if (!root || !node) throw editRefused(filePath, keyPath)
  const next = bom + applyEdits(body, await insertion(body, root, node, { key: null, value: item }))
  return checked(next, keyPath, [...list, item], filePath)
}

/** Takes the items out that `isOurs` names. Comments around them stay. */
export async function removeJsonItems(
  text: string,
  keyPath: KeyPath,
  isOurs: (item: unknown) => boolean,
  filePath: string,
): Promise<string> {
  const list = valueAt(await parseJsonc(text, filePath), keyPath)
  if (!Array.isArray(list) || !list.some(isOurs)) return text
  const [bom, body] = splitBom(text)
  let next = body
  for (let index = list.findLastIndex(isOurs); index >= 0; index = list.slice(0, index).findLastIndex(isOurs)) {
    const { node } = await findNode(next, keyPath)
    const child = node?.children?.[index]
    if (!node || !child) throw editRefused(filePath, keyPath)
    next = applyEdits(next, await removal(next, node, child))
  }
  const kept = list.filter((item) => !isOurs(item))
  return checked(bom + next, keyPath, kept, filePath)
}

async function findNode(body: string, keyPath: KeyPath) {
  const { parseTree } = await import('jsonc-parser')
  const root = parseTree(body, [], JSONC_OPTIONS)
  let node = root
  for (const key of keyPath) node = node && findProperty(node, key)?.children?.[1]
  return { root, node }
}

async function checked(text: string, keyPath: KeyPath, intended: unknown[], filePath: string): Promise<string> {
  const written: unknown = JSON.parse(JSON.stringify(intended))
  if (!isDeepStrictEqual(valueAt(await parseJsonc(text, filePath), keyPath), written)) {
    throw editRefused(filePath, keyPath)
  }
  return text
}
