import type { AST } from 'toml-eslint-parser'
import type { KeyPath } from './values.ts'

/** Where things are in a TOML text. Numbers in a path are places in an array of tables, so no key path meets them. */
type Place = readonly (string | number)[]

export interface Entry {
  path: Place
  /** How many segments of `path` come from the table around it rather than from its own dotted key. */
  depth: number
  node: AST.TOMLKeyValue
  /** Null: it has lines of its own. */
  inline: AST.TOMLInlineTable | null
}

export interface Header {
  path: Place
  node: AST.TOMLTable
}

export function headersOf(program: AST.TOMLProgram): Header[] {
  return program.body[0].body.flatMap((node) => (node.type === 'TOMLTable' ? [{ path: node.resolvedKey, node }] : []))
}

/** Every key with its whole path, an inline table before the keys inside it. */
export function entriesOf(program: AST.TOMLProgram): Entry[] {
  return program.body[0].body.flatMap((node) =>
    node.type === 'TOMLTable'
      ? node.body.flatMap((entry) => entriesAt(entry, node.resolvedKey, null))
      : entriesAt(node, [], null),
  )
}

function entriesAt(node: AST.TOMLKeyValue, above: Place, inline: AST.TOMLInlineTable | null): Entry[] {
  const keys = node.key.keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value))
  const path = [...above, ...keys]
  const { value } = node
  const nested = value.type === 'TOMLInlineTable' ? value.body.flatMap((entry) => entriesAt(entry, path, value)) : []
  return [{ path, depth: above.length, node, inline }, ...nested]
}

export function startsWith(path: Place, prefix: KeyPath): boolean {
  return path.length >= prefix.length && prefix.every((key, index) => path[index] === key)
}

export function samePath(path: Place, other: KeyPath): boolean {
  return path.length === other.length && startsWith(path, other)
}

/** Where a new key can go. TOML forbids to reopen with a header what dotted keys or an inline table have defined. */
export type Home =
  | { kind: 'inline'; table: AST.TOMLInlineTable; key: KeyPath }
  | { kind: 'beside'; entry: Entry; key: KeyPath }
  | { kind: 'header'; header: Header; key: KeyPath }
  | { kind: 'none' }

/** The innermost table around `keyPath` that exists, in the form in which it was written. */
export function homeOf(program: AST.TOMLProgram, keyPath: KeyPath): Home {
  const entries = entriesOf(program)
  const headers = headersOf(program)
  for (let length = keyPath.length - 1; length > 0; length--) {
    const table = keyPath.slice(0, length)
    const key = keyPath.slice(length)
    const exact = entries.find((entry) => samePath(entry.path, table))?.node.value
    if (exact?.type === 'TOMLInlineTable') return { kind: 'inline', table: exact, key }
    const dotted = entries.findLast(
      (entry) => entry.depth < length && entry.path.length > length && startsWith(entry.path, table),
    )
    if (dotted) return { kind: 'beside', entry: dotted, key: keyPath.slice(dotted.depth) }
    const header = headers.find((candidate) => samePath(candidate.path, table))
    if (header) return { kind: 'header', header, key }
    if (headers.some((candidate) => startsWith(candidate.path, table))) return { kind: 'none' }
  }
  return { kind: 'none' }
}
