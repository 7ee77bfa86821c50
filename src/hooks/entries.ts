import { isDeepStrictEqual } from 'node:util'
import { HOOK_MARK, type HookEntry, type SharedHookFile } from '../contract/hooks.ts'
import { isRecord } from '../core/json.ts'
import { configError } from '../files/config-error.ts'
import { documentFormat } from '../files/documents.ts'
import { type KeyPath, valueAt } from '../files/values.ts'
import { stepBetween, type TextStep } from './text-steps.ts'

type Format = SharedHookFile['format']

export interface Added {
  text: string
  steps: TextStep[]
}

/** The text with all entries of a plan in it, and the steps that lead there. */
export async function addEntries(text: string, { path, format, entries }: SharedHookFile): Promise<Added> {
  const document = documentFormat(format)
  const steps: TextStep[] = []
  let next = text
  for (const { keyPath, as, value } of entries) {
    const before = next
    if (as === 'default' && valueAt(await document.parse(before, path), keyPath) !== undefined) continue
    next =
      as === 'item'
        ? await document.append(before, keyPath, value, path)
        : await document.set(before, keyPath, value, path)
    if (next !== before) steps.push(stepBetween(before, next))
  }
  return { text: next, steps }
}

/** Whether exactly these entries of ours are there: none is missing, none is left over from another plan. */
export function hasExactly(data: unknown, entries: readonly HookEntry[]): boolean {
  const wanted = entries.filter(({ as }) => as !== 'default')
  const found = findOurs(data).flatMap(({ keyPath, as }): HookEntry[] => {
    const there = valueAt(data, keyPath)
    if (as === 'value' || !Array.isArray(there)) return [{ keyPath, as, value: there }]
    return there.filter(isMarked).map((value) => ({ keyPath, as, value }))
  })
  return (
    wanted.length === found.length &&
    wanted.every((entry) => found.some((other) => isDeepStrictEqual(other, JSON.parse(JSON.stringify(entry)))))
  )
}

export function hasOurs(data: unknown): boolean {
  return findOurs(data).length > 0
}

/** The text without anything of ours, found by its mark. Lists and tables that are empty without it go too. */
export async function removeOurs(text: string, format: Format, path: string): Promise<string> {
  const document = documentFormat(format)
  let next = text
  for (const { keyPath, as } of findOurs(await document.parse(text, path))) {
    next =
      as === 'value'
        ? await document.remove(next, keyPath, path)
        : await document.removeItems(next, keyPath, (item) => isOursAlone(item, keyPath, path), path)
    next = await prune(next, format, as === 'value' ? keyPath.slice(0, -1) : keyPath, path)
  }
  return next
}

async function prune(text: string, format: Format, keyPath: KeyPath, path: string): Promise<string> {
  const document = documentFormat(format)
  let next = text
  for (let length = keyPath.length; length > 0; length--) {
    const above = keyPath.slice(0, length)
    if (!isEmpty(valueAt(await document.parse(next, path), above))) break
    const cut = await document.remove(next, above, path)
    // A comment inside is the user's, and so is what it stands in.
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
function findOurs(data: unknown, above: KeyPath = []): Pick<HookEntry, 'keyPath' | 'as'>[] {
  if (!isRecord(data)) return []
  return Object.entries(data).flatMap(([key, value]): Pick<HookEntry, 'keyPath' | 'as'>[] => {
    const keyPath = [...above, key]
    if (key.includes(HOOK_MARK)) return [{ keyPath, as: 'value' }]
    if (Array.isArray(value)) return value.some(isMarked) ? [{ keyPath, as: 'item' }] : []
    return findOurs(value, keyPath)
  })
}

function isMarked(value: unknown): boolean {
  return (JSON.stringify(value) ?? '').includes(HOOK_MARK)
}

/** A group of hooks in which somebody has put another beside ours is not ours to remove. */
function isOursAlone(item: unknown, keyPath: KeyPath, path: string): boolean {
  if (!isMarked(item)) return false
  const isMixed = isRecord(item) && Object.values(item).some((list) => Array.isArray(list) && !list.every(isMarked))
  if (!isMixed) return true
  throw configError(
    `${keyPath.join('.')} in ${path} holds a group with our hook and another`,
    `Take the hook with ${HOOK_MARK} out by hand; the file was left as it is.`,
  )
}
