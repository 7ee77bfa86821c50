import { sep } from 'node:path'
import type { HookFile, HookInstallation } from '../contract/hooks.ts'
import { documentFormat, readText } from '../files/documents.ts'
import { carryOut } from './carry-out.ts'
import { hasExactly, hasOurs } from './entries.ts'
import { excludesFor } from './git-exclude.ts'
import { changeJournal, type JournalEntry, type Owner, readJournal, sameOwner } from './journal.ts'
import { ownershipOf } from './ownership.ts'
import {
  forgotten,
  isOurs,
  type Pending,
  pendingExcludes,
  pendingOwn,
  pendingRemoval,
  pendingShared,
} from './pending.ts'

export interface FileChange {
  path: string
  /** What was done, or would be. */
  action: 'created' | 'changed' | 'removed' | 'unchanged'
}

export interface InstallRequest {
  owner: Owner
  installation: HookInstallation
  dataDir: string
  /** Report what would be done, and do nothing. */
  dryRun?: boolean
}

/**
 * Puts the entries and files of a plan in place. Everything is worked out first, so that a file that does not parse
 * stops it before anything is written.
 */
export async function installHooks({ owner, installation, dataDir, dryRun }: InstallRequest): Promise<FileChange[]> {
  const { files } = installation
  const all = await readJournal(dataDir)
  const journal = all.filter((entry) => sameOwner(entry, owner))
  const known = (path: string) => journal.find((entry) => entry.path === path)
  const pending: Pending[] = []
  if (owner.workspace !== undefined) {
    const paths = files.map(({ path }) => path)
    const excludes = await excludesFor(owner.workspace, paths)
    if (excludes) pending.push(await pendingExcludes(excludes, owner, known(excludes.file)))
  }
  for (const file of files) {
    const work =
      file.kind === 'own' ? pendingOwn(file, owner, known(file.path)) : pendingShared(file, owner, known(file.path))
    pending.push(await work)
  }
  // What an older plan has left elsewhere.
  for (const entry of journal) {
    if (!pending.some(({ path }) => path === entry.path)) pending.push(await pendingRemoval(entry))
  }
  const shared = pending.map((one) => withSharedDirectories(one, all))
  if (!dryRun) await carryOut(dataDir, owner, shared)
  return pending.map(changeOf)
}

/** Directories that we made for another agent are also removed with this one: the last to go finds them empty. */
function withSharedDirectories(one: Pending, all: readonly JournalEntry[]): Pending {
  if (!one.remember) return one
  const above = all.flatMap(({ directories }) => directories).filter((made) => one.path.startsWith(made + sep))
  const directories = [...new Set([...above, ...one.directories])].sort((a, b) => a.length - b.length)
  return { ...one, directories, remember: { ...one.remember, directories } }
}

/** Takes everything of ours out again, whether we remember putting it there or not. */
export async function uninstallHooks({ owner, installation, dataDir, dryRun }: InstallRequest): Promise<FileChange[]> {
  const all = await readJournal(dataDir)
  const journal = all.filter((entry) => sameOwner(entry, owner))
  const pending: Pending[] = []
  for (const file of installation.files) {
    if (journal.some((entry) => entry.path === file.path)) continue
    const text = await readText(file.path)
    if (text !== null && (file.kind === 'shared' || text === file.content || isOurs(text, file.content)))
      pending.push(await pendingRemoval(forgotten(file, owner)))
  }
  for (const entry of journal) {
    const heir = all.find((other) => other.format === 'lines' && other.path === entry.path && !sameOwner(other, owner))
    if (!heir) pending.push(await pendingRemoval(entry))
    // Another workspace of the same repository still needs the lines: they are its lines now.
    else if (!dryRun) await handOver(dataDir, entry, heir)
  }
  if (!dryRun) await carryOut(dataDir, owner, pending)
  return pending.map(changeOf)
}

export type InstallState = 'installed' | 'outdated' | 'absent'

/** How much of a plan is in place. A file that does not parse throws. */
export async function stateOf({ files }: HookInstallation): Promise<InstallState> {
  const states = await Promise.all(files.map(fileState))
  if (states.every((state) => state === 'installed')) return 'installed'
  return states.every((state) => state === 'absent') ? 'absent' : 'outdated'
}

async function fileState(file: HookFile): Promise<InstallState> {
  const text = await readText(file.path)
  if (text === null) return 'absent'
  if (file.kind === 'own')
    return text === file.content ? 'installed' : isOurs(text, file.content) ? 'outdated' : 'absent'
  const data = await documentFormat(file.format).parse(text, file.path)
  return hasExactly(data, file.entries) ? 'installed' : hasOurs(data, ownershipOf(file.entries)) ? 'outdated' : 'absent'
}

async function handOver(dataDir: string, entry: JournalEntry, heir: JournalEntry): Promise<void> {
  await changeJournal(dataDir, (entries) =>
    entries
      .filter((one) => one.path !== entry.path || !sameOwner(one, entry))
      .map((one) =>
        one.path === heir.path && sameOwner(one, heir)
          ? { ...one, steps: [...entry.steps, ...one.steps], created: entry.created || one.created }
          : one,
      ),
  )
}

function changeOf({ path, before, next }: Pending): FileChange {
  if (next === before) return { path, action: 'unchanged' }
  return { path, action: before === null ? 'created' : next === null ? 'removed' : 'changed' }
}
