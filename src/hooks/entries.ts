import { isDeepStrictEqual } from 'node:util'
import { HOOK_MARK, type HookEntry, type SharedHookFile } from '../contract/hooks.ts'
import { isRecord } from '../core/json.ts'
import { configError } from '../files/config-error.ts'
import { documentFormat } from '../files/documents.ts'
import { type KeyPath, valueAt } from '../files/values.ts'
import { BY_NAME, type Ownership, ownershipOf } from './ownership.ts'
import { stepBetween, type TextStep } from './text-steps.ts'

type Format = SharedHookFile['format']

export interface Added {
  text: string
  steps: TextStep[]
  /** Those that were not there yet. */
  added: HookEntry[]
}

/** The text with all entries of a plan in it, and the steps that lead there. */
export async function addEntries(text: string, { path, format, entries }: SharedHookFile): Promise<Added> {
  const document = documentFormat(format)
  const steps: TextStep[] = []
  let next = text
  const added: HookEntry[] = []
  for (const entry of entries) {
    const { keyPath, as, value } = entry
    const before = next
    if (as === 'default' && valueAt(await document.parse(before, path), keyPath) !== undefined) continue
    next =
      as === 'item'
        ? await document.append(before, keyPath, value, path)
        : await document.set(before, keyPath, value, path)
    if (next === before) continue
    steps.push(stepBetween(before, next))
    added.push(entry)
  }
  return { text: next, steps, added }
}

/** Whether exactly these entries of ours are there: none is missing, none is left over from another plan. */
export function hasExactly(data: unknown, entries: readonly HookEntry[], ours = ownershipOf(entries)): boolean {
  const wanted = entries.filter(({ as }) => as !== 'default')
  const found = findOurs(data, ours).flatMap(({ keyPath, as }): HookEntry[] => {
    const there = valueAt(data, keyPath)
    if (as === 'value' || !Array.isArray(there)) return [{ keyPath, as, value: there }]
    return there.filter(ours.isItem).map((value) => ({ keyPath, as, value }))
  })
  return (
    wanted.length === found.length &&
    wanted.every((entry) => found.some((other) => isDeepStrictEqual(other, JSON.parse(JSON.stringify(entry)))))
  )
}

export function hasOurs(data: unknown, ours: Ownership = BY_NAME): boolean {
  return findOurs(data, ours).length > 0
}

export interface Remembered {
  /** What was put there; without it, what is ours is known by its name. */
  entries?: readonly HookEntry[]
  /** The file was not there before. */
  created: boolean
}

export function ownershipIn({ entries }: Pick<Remembered, 'entries'>): Ownership {
  return entries ? ownershipOf(entries) : BY_NAME
}

/** The text without anything of ours. Lists and tables that are empty without it go too. */
export async function removeOurs(text: string, format: Format, path: string, known: Remembered): Promise<string> {
  const document = documentFormat(format)
  const ours = ownershipIn(known)
  let next = text
  for (const { keyPath, as } of findOurs(await document.parse(text, path), ours)) {
    next =
      as === 'value'
        ? await document.remove(next, keyPath, path)
        : await document.removeItems(next, keyPath, (item) => isOursAlone(item, ours, keyPath, path), path)
    next = await prune(next, format, as === 'value' ? keyPath.slice(0, -1) : keyPath, path)
  }
  return removeDefaults(next, format, path, known)
}

/**
 * A default of ours goes with the entries that needed it. In a file that we made it stays while the user has entries of
 * the same kind there, which need it, too: Cursor reads no hooks from a file without `version`.
 */
async function removeDefaults(text: string, format: Format, path: string, known: Remembered): Promise<string> {
  const document = documentFormat(format)
  let next = text
  for (const { as, keyPath, value } of known.entries ?? []) {
    if (as !== 'default') continue
    const data = await document.parse(next, path)
    if (!isDeepStrictEqual(valueAt(data, keyPath), value)) continue
    if (known.created && hasSimilar(data, known.entries ?? [])) continue
    next = await document.remove(next, keyPath, path)
  }
  return next
}

/** Whether something is left in the tables that our entries stood in. */
function hasSimilar(data: unknown, entries: readonly HookEntry[]): boolean {
  return entries.some(({ as, keyPath }) => {
    const table = as === 'default' ? undefined : valueAt(data, keyPath.slice(0, 1))
    return table !== undefined && table !== null && !isEmpty(table)
  })
}

async function prune(text: string, format: Format, keyPath: KeyPath, path: string): Promise<string> {
  const document = documentFormat(format)
  let next = text
  for (let length = keyPath.length; length > 0; length--) {
    const above = keyPath.slice(0, length)
    if (!isEmpty(valueAt(await document.parse(next, path), above))) break
    const cut = await document.remove(next, above, path)
    // A comment inside is the user's, and so is what it is in.
    if (lengthOf(next) - lengthOf(cut) > `"${above.at(-1)}":{},`.length) break
    next = cut
  }
  return next
}

function lengthOf(text: string): number {
  return text.replace(/\s+/g, '').length
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0
}

/** The lists with items of ours, and the keys that are ours. */
function findOurs(data: unknown, ours: Ownership, above: KeyPath = []): Pick<HookEntry, 'keyPath' | 'as'>[] {
  if (!isRecord(data)) return []
  return Object.entries(data).flatMap(([key, value]): Pick<HookEntry, 'keyPath' | 'as'>[] => {
    const keyPath = [...above, key]
    if (ours.isKey(keyPath)) return [{ keyPath, as: 'value' }]
    if (Array.isArray(value)) return value.some(ours.isItem) ? [{ keyPath, as: 'item' }] : []
    return findOurs(value, ours, keyPath)
  })
}

/** A group of hooks in which somebody has put another beside ours is not ours to remove. */
function isOursAlone(item: unknown, ours: Ownership, keyPath: KeyPath, path: string): boolean {
  if (!ours.isItem(item)) return false
  const isMixed = isRecord(item) && Object.values(item).some((list) => Array.isArray(list) && !list.every(ours.isItem))
  if (!isMixed) return true
  throw configError(
    `${keyPath.join('.')} in ${path} holds a group with our hook and another`,
    `Take the hook with ${HOOK_MARK} out by hand; the file was left as it is.`,
  )
}
