import { isDeepStrictEqual } from 'node:util'
import { HOOK_MARK, type HookEntry } from '../contract/hooks.ts'
import { isRecord } from '../core/json.ts'
import type { KeyPath } from '../files/values.ts'

/** Decides what of a user's file is ours. A text that merely names our program is the user's. */
export interface Ownership {
  isItem(value: unknown): boolean
  isKey(keyPath: KeyPath): boolean
}

/** What these entries put there, and whatever else calls the same program: an older plan may have had other events. */
export function ownershipOf(entries: readonly HookEntry[]): Ownership {
  const strings = entries.flatMap(({ value }) => stringsIn(value)).filter((text) => text.includes(HOOK_MARK))
  const programs = [...new Set(strings.flatMap((text) => programOf(text) ?? []))]
  const isOurs = (text: string) => strings.includes(text) || programs.some((program) => text.startsWith(`${program} `))
  const keys = entries.flatMap(({ as, keyPath }) => (as === 'value' ? [keyPath] : []))
  return {
    isItem: (value) => stringsIn(value).some(isOurs),
    isKey: (keyPath) => keys.some((key) => isDeepStrictEqual([...key], [...keyPath])),
  }
}

/** Where nobody remembers what was put there: commands whose program is ours by its very name. */
export const BY_NAME: Ownership = {
  isItem: (value) => stringsIn(value).some((text) => programOf(text) !== null),
  isKey: (keyPath) => keyPath.at(-1) === HOOK_MARK,
}

const FIRST_WORD = /^(?:"[^"]*"|'[^']*'|\S+)(?=\s|$)/

/** The first word of a command, as it is written, when it is the path of our program. */
function programOf(command: string): string | null {
  const word = FIRST_WORD.exec(command)?.[0] ?? ''
  const name = word.replace(/^["']|["']$/g, '').split(/[\\/]/)
  return name.length > 1 && (name.at(-1) === HOOK_MARK || name.at(-1) === `${HOOK_MARK}.cmd`) ? word : null
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(stringsIn)
  return isRecord(value) ? Object.values(value).flatMap(stringsIn) : []
}
