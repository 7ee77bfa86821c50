import { isDeepStrictEqual } from 'node:util'
import type { Node, YAMLMap } from 'yaml'
import { editRefused, notAList } from './config-error.ts'
import { parseYaml } from './edit-yaml.ts'
import { eolOf, lineStart, nextLine, splitBom } from './text.ts'
import { isTable, type KeyPath, valueAt, withValue } from './values.ts'

// The editor of single values rewrites the whole document; these splice the text, so that every other byte stays.

/** Adds one item to the end of a list in block style. A missing list is made. */
export async function appendYamlItem(text: string, keyPath: KeyPath, item: unknown, filePath: string): Promise<string> {
  const before = (await parseYaml(text, filePath)) ?? {}
  const list = valueAt(before, keyPath) ?? []
  if (!Array.isArray(list)) throw notAList(filePath, keyPath)
  const [bom, body] = splitBom(text)
  const next = bom + (await insertItem(body, keyPath, item))
  const intended = isTable(before) ? withValue(before, keyPath, [...list, item]) : null
  if (!isDeepStrictEqual(await parseYaml(next, filePath), intended)) throw editRefused(filePath, keyPath)
  return next
}

/** Takes the items out that `isOurs` names. */
export async function removeYamlItems(
  text: string,
  keyPath: KeyPath,
  isOurs: (item: unknown) => boolean,
  filePath: string,
): Promise<string> {
  const before = await parseYaml(text, filePath)
  const list = valueAt(before, keyPath)
  if (!Array.isArray(list) || !list.some(isOurs)) return text
  const { isSeq } = await import('yaml')
  const [bom, body] = splitBom(text)
  let next = body
  for (let index = list.findLastIndex(isOurs); index >= 0; index = list.slice(0, index).findLastIndex(isOurs)) {
    const node = (await mapAt(next, keyPath.slice(0, -1)))?.get(keyPath.at(-1), true)
    const place = isSeq<Node>(node) ? node.items[index]?.range : undefined
    if (!place) throw editRefused(filePath, keyPath)
    next = next.slice(0, lineStart(next, place[0])) + next.slice(nextLine(next, place[1] - 1))
  }
  const kept = list.filter((item) => !isOurs(item))
  // A block list without items is null.
  const left = valueAt(await parseYaml(bom + next, filePath), keyPath) ?? []
  if (!isDeepStrictEqual(left, kept)) throw editRefused(filePath, keyPath)
  return kept.length > 0 ? bom + next : bom + (await cutKey(next, keyPath))
}

async function insertItem(body: string, keyPath: KeyPath, item: unknown): Promise<string> {
  const { isMap, isScalar, isSeq } = await import('yaml')
  for (let length = keyPath.length; length > 0; length--) {
    const above = keyPath.slice(0, length)
    const parent = await mapAt(body, above.slice(0, -1))
    const node = parent?.get(above.at(-1), true)
    const empty = isScalar(node) && node.value === null ? keyOf(parent, above.at(-1)) : undefined
    if (empty?.range && node?.range) {
      const [start, end] = node.range // `null` or `~`, or nothing
      return fillEmptyKey(body.slice(0, start) + body.slice(end), empty.range[0], keyPath.slice(length), item)
    }
    const first = isSeq<Node>(node) ? node.items[0] : isMap<Node>(node) ? node.items[0]?.key : undefined
    if (!first?.range || !node?.range) continue
    const value = keyPath.slice(length).reduceRight<unknown>((below, key) => ({ [key]: below }), [item])
    const start = lineStart(body, first.range[0])
    const indent = /^ */.exec(body.slice(start))?.[0] ?? ''
    return insertLines(body, node.range[1], await blockOf(value, indent, eolOf(body)))
  }
  const value = keyPath.reduceRight<unknown>((below, key) => ({ [key]: below }), [item])
  return insertLines(body, body.length, await blockOf(value, '', eolOf(body)))
}

function keyOf(map: YAMLMap<Node, Node> | undefined, name: string | undefined): Node | undefined {
  return map?.items.find(({ key }) => 'value' in key && key.value === name)?.key
}

/** `hooks:` with nothing behind it: what belongs there goes below it. */
async function fillEmptyKey(body: string, at: number, below: KeyPath, item: unknown): Promise<string> {
  const value = below.reduceRight<unknown>((inner, key) => ({ [key]: inner }), [item])
  const indent = ' '.repeat(at - lineStart(body, at) + 2)
  return insertLines(body, at + 1, await blockOf(value, indent, eolOf(body)))
}

async function blockOf(value: unknown, indent: string, eol: string): Promise<string> {
  const { stringify } = await import('yaml')
  const lines = stringify(value, { lineWidth: 0 }).trimEnd().split('\n')
  return lines.map((line) => `${indent}${line}${eol}`).join('')
}

function insertLines(text: string, after: number, lines: string): string {
  const end = after > 0 && text[after - 1] === '\n' ? after : nextLine(text, after)
  const above = text.slice(0, end)
  const isClosed = above === '' || above.endsWith('\n')
  return `${above}${isClosed ? '' : eolOf(text)}${lines}${text.slice(end)}`
}

/** Takes out the line of a key that has no value any more, and of the keys above it that have no other. */
async function cutKey(text: string, keyPath: KeyPath): Promise<string> {
  const { isScalar } = await import('yaml')
  const pairs = (await mapAt(text, keyPath.slice(0, -1)))?.items ?? []
  const range = pairs.find(({ key }) => isScalar(key) && key.value === keyPath.at(-1))?.key.range
  if (!range) return text
  const start = lineStart(text, range[0])
  const end = nextLine(text, range[0])
  // A comment beside it is the user's.
  if (!/^\s*[^#]*:\s*$/.test(text.slice(start, end))) return text
  const next = text.slice(0, start) + text.slice(end)
  return pairs.length === 1 && keyPath.length > 1 ? cutKey(next, keyPath.slice(0, -1)) : next
}

async function mapAt(body: string, keyPath: KeyPath): Promise<YAMLMap<Node, Node> | undefined> {
  const { isMap, parseDocument } = await import('yaml')
  const document = parseDocument(body)
  const node = keyPath.length === 0 ? document.contents : document.getIn([...keyPath], true)
  return isMap<Node, Node>(node) ? node : undefined
}
