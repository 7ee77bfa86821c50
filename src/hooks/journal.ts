import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { HookEntry, HookScope } from '../contract/hooks.ts'
import { isRecord } from '../core/json.ts'
import { atomicWrite, nullWhenMissing } from '../files/atomic-write.ts'
import { withFileLock } from '../files/lock.ts'
import type { TextStep } from './text-steps.ts'

/** What we did to one file, so that its bytes can be had back. Written before the file is. */
export interface JournalEntry {
  agent: string
  scope: Exclude<HookScope, 'launch'>
  /** Of scope `workspace`. */
  workspace?: string
  path: string
  /** `lines`: a plain list of lines, which git's excludes are. */
  format: 'json' | 'toml' | 'yaml' | 'lines' | 'own'
  /** The file was not there before. */
  created: boolean
  /** Directories that were not there before, outermost first. */
  directories: string[]
  steps: TextStep[]
  /** What was added, in a file that others have entries in. */
  entries?: HookEntry[]
  /** SHA-256 of the text as we left it. */
  after: string
}

export type Owner = Pick<JournalEntry, 'agent' | 'scope' | 'workspace'>

export function sameOwner(a: Owner, b: Owner): boolean {
  return a.agent === b.agent && a.scope === b.scope && a.workspace === b.workspace
}

function journalPath(dataDir: string): string {
  return join(dataDir, 'hooks', 'installed.json')
}

/** Empty without a file; one that cannot be read counts as none: what is ours is also known by its mark. */
export async function readJournal(dataDir: string): Promise<JournalEntry[]> {
  const text = await readFile(journalPath(dataDir), 'utf8').catch(nullWhenMissing)
  if (text === null) return []
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) && Array.isArray(value.entries) ? value.entries.filter(isEntry) : []
  } catch {
    return []
  }
}

export async function changeJournal(
  dataDir: string,
  change: (entries: readonly JournalEntry[]) => JournalEntry[],
): Promise<void> {
  const path = journalPath(dataDir)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await withFileLock(path, async () => {
    const entries = change(await readJournal(dataDir))
    await atomicWrite(path, `${JSON.stringify({ version: 1, entries }, null, 2)}\n`)
  })
}

function isEntry(value: unknown): value is JournalEntry {
  return (
    isRecord(value) &&
    ['agent', 'scope', 'path', 'format', 'after'].every((key) => typeof value[key] === 'string') &&
    Array.isArray(value.directories) &&
    Array.isArray(value.steps) &&
    (value.entries === undefined || (Array.isArray(value.entries) && value.entries.every(isHookEntry))) &&
    value.steps.every((step) => isRecord(step) && typeof step.at === 'number' && typeof step.inserted === 'string')
  )
}

function isHookEntry(value: unknown): value is HookEntry {
  return isRecord(value) && Array.isArray(value.keyPath) && typeof value.as === 'string'
}
