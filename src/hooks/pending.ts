import { isDeepStrictEqual } from 'node:util'
import { AgentMuxError } from '../contract/errors.ts'
import { HOOK_MARK, type HookFile, type OwnHookFile, type SharedHookFile } from '../contract/hooks.ts'
import { documentFormat, parseSettings, readText } from '../files/documents.ts'
import { addEntries, hasExactly, hasOurs } from './entries.ts'
import { type Excludes, withExcludes } from './git-exclude.ts'
import type { JournalEntry, Owner } from './journal.ts'
import { missingDirectories } from './own-directories.ts'
import { BY_NAME, ownershipOf } from './ownership.ts'
import { stepBetween } from './text-steps.ts'
import { digest, withoutOurs } from './undo.ts'

/** A change that is worked out and not yet made. `next` null: the file goes. */
export interface Pending {
  path: string
  before: string | null
  next: string | null
  executable?: boolean
  /** What the journal is to say of this file; null: nothing any more. */
  remember: JournalEntry | null
  /** Ours to make, or to take back. */
  directories: readonly string[]
}

/** A file of ours alone says so where it begins, or is what we have last written. A name in a text proves nothing. */
export function isOurs(text: string, content: string, after?: string): boolean {
  if (digest(text) === after) return true
  return content.startsWith('{') ? isLike(text, content) : SAYS_SO.test(text.slice(0, 400))
}

/** JSON has no room to say so: it is ours when it has nothing but what we write, though the events may be others. */
function isLike(text: string, content: string): boolean {
  try {
    const [{ hooks, ...rest }, { hooks: _, ...own }] = [JSON.parse(text), JSON.parse(content)]
    const items = Object.values(hooks).flat()
    return items.length > 0 && isDeepStrictEqual(rest, own) && items.every(BY_NAME.isItem)
  } catch {
    return false
  }
}

/** In a comment at the start of a line. A script that only calls our program is the user's. */
const SAYS_SO = new RegExp(`^(?:#|//) ${HOOK_MARK}: (?:made by agent-mux|hands the hooks)`, 'm')

/** A file of ours to be written. */
export async function pendingOwn(file: OwnHookFile, owner: Owner, known?: JournalEntry): Promise<Pending> {
  const { path, content, executable } = file
  const before = await readText(path)
  if (before !== null && before !== content && !isOurs(before, content, known?.after)) {
    throw new AgentMuxError('CONFIG_ERROR', `${path} is there already and not ours`, {
      hint: 'Move it away; it was left as it is.',
    })
  }
  const directories = await directoriesOf(path, known)
  const steps = [stepBetween('', content)]
  const remember = { ...owner, path, format: 'own', created: true, directories, steps, after: digest(content) } as const
  return { path, before, next: content, executable, remember, directories }
}

/** Entries to be added to a user's file. */
export async function pendingShared(file: SharedHookFile, owner: Owner, known?: JournalEntry): Promise<Pending> {
  const { path, format, entries } = file
  const before = await readText(path)
  const directories = await directoriesOf(path, known)
  // Says so when the file does not parse, or holds something else than settings.
  const data = await parseSettings(documentFormat(format), before ?? '', path)
  const ours = ownershipOf([...(known?.entries ?? []), ...entries])
  if (before !== null && hasExactly(data, entries, ours)) {
    return { path, before, next: before, remember: known ?? forgotten(file, owner), directories }
  }
  // Where we remember something, a default of ours may be all that the user has left.
  const hasOlder = before !== null && (known !== undefined || hasOurs(data, ours))
  const original = hasOlder ? await withoutOurs(before, path, known ?? forgotten(file, owner)) : before
  const { text, steps, added } = await addEntries(original ?? '', file)
  const created = original === null
  const remember = { ...owner, path, format, created, directories, steps, entries: added, after: digest(text) }
  return { path, before, next: text, remember, directories }
}

/** Lines to be added to git's excludes. Remembered even when there are none: they may be those of another workspace. */
export async function pendingExcludes(excludes: Excludes, owner: Owner, known?: JournalEntry): Promise<Pending> {
  const { file: path, missing } = excludes
  const before = await readText(path)
  const next = missing.length === 0 ? before : withExcludes(before ?? '', missing)
  const steps = [...(known?.steps ?? []), ...(next === before ? [] : [stepBetween(before ?? '', next ?? '')])]
  const directories = await directoriesOf(path, known)
  const created = known?.created ?? before === null
  const remember = { ...owner, path, format: 'lines', created, directories, steps, after: digest(next ?? '') } as const
  return { path, before, next, remember, directories }
}

/** What we did to a file, to be undone. */
export async function pendingRemoval({ path, format, directories, ...done }: JournalEntry): Promise<Pending> {
  const before = await readText(path)
  const pending = { path, before, remember: null, directories }
  if (before === null) return { ...pending, next: null }
  if (format === 'own') return { ...pending, next: isUntouched(before, done) ? null : before }
  return { ...pending, next: await withoutOurs(before, path, { format, ...done }) }
}

/** For a file with our mark that is in no journal. */
export function forgotten(file: HookFile, owner: Owner): JournalEntry {
  const format = file.kind === 'own' ? 'own' : file.format
  const entries = file.kind === 'own' ? undefined : file.entries.filter(({ as }) => as !== 'default')
  return { ...owner, path: file.path, format, created: false, directories: [], steps: [], entries, after: '' }
}

/** What we made before, we have made. */
async function directoriesOf(path: string, known: JournalEntry | undefined): Promise<string[]> {
  return [...new Set([...(known?.directories ?? []), ...(await missingDirectories(path))])]
}

/** Whether a file of ours is as we wrote it; where nobody remembers, whether it says that it is ours. */
function isUntouched(text: string, { after }: Pick<JournalEntry, 'after'>): boolean {
  return after === '' ? SAYS_SO.test(text.slice(0, 400)) : digest(text) === after
}
