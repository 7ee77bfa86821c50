import { randomUUID } from 'node:crypto'
import { appendFile, constants, copyFile, link, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { AgentMuxError } from '../contract/errors.ts'
import type { Litter, WorkingCopy } from '../contract/spawn.ts'
import { nullWhenMissing } from './atomic-write.ts'

// Latin-1 keeps every byte, whatever the agent has written.
const BYTES = 'latin1'

/**
 * Makes the copy that an agent works on. Resolves to what puts it in the place of the original when the agent is gone.
 * At any moment at least one file that the agent reads holds everything, so a kill loses nothing.
 */
export async function openWorkingCopy(plan: WorkingCopy): Promise<() => Promise<void>> {
  try {
    do await settle(plan)
    while (!(await copyWhole(plan.original, plan.copy)))
  } catch (error) {
    // In a directory that may not be written to, the agent cannot delete anything either.
    if (isRefused(error)) return async () => {}
    throw new AgentMuxError('SPAWN_ERROR', `${plan.original} could not be copied, so it is not safe to resume it`, {
      hint: 'Check the free space of the disk, then try again.',
      cause: error,
    })
  }
  // What cannot be done now is done before the next resume; until then the copy stays.
  return () => settle(plan).catch(() => undefined)
}

async function settle(plan: WorkingCopy): Promise<void> {
  const { original, copy, litter } = plan
  await removeLitter(plan)
  const worked = await read(copy)
  if (worked === null) return
  const before = withoutLitter((await read(original)) ?? '', litter)
  if (worked.startsWith(before)) return rename(copy, original)
  // Another run of the session was here first: these are the lines that this one has written since.
  if (!worked.startsWith(litter.opening)) {
    await appendFile(original, worked, BYTES)
    await rm(copy)
  }
  // Else somebody has written to both. They stay as they are: the agent takes the newer one.
}

async function removeLitter({ original, copy, litter }: WorkingCopy): Promise<void> {
  const directory = dirname(original)
  const others = (await readdir(directory)).filter((name) => name.endsWith(litter.fileNameEnd))
  for (const path of others.map((name) => join(directory, name))) {
    if (path === original || path === copy) continue
    const text = await read(path)
    if (text !== null && withoutLitter(text, litter) === '') await rm(path, { force: true })
  }
}

/** The text up to its last lines that say nothing, if there are such. */
export function withoutLitter(text: string, litter: Litter): string {
  if (!text.startsWith(litter.opening)) return text
  const start = text.lastIndexOf(`\n${litter.opening}`) + 1
  if (litter.content.some((words) => text.includes(words, start))) return text
  return withoutLitter(text.slice(0, start), litter)
}

/** Under its name only when it is complete. False when another run of the session has just written there. */
async function copyWhole(from: string, to: string): Promise<boolean> {
  const temporary = join(dirname(to), `.${basename(to)}.${randomUUID()}.tmp`)
  try {
    await copyFile(from, temporary, constants.COPYFILE_FICLONE)
    const handle = await open(temporary, 'r+')
    await handle.sync().finally(() => handle.close())
    // Unlike a rename, a link does not overwrite. Not every file system has links.
    await link(temporary, to).catch((error) => (isThere(error) ? Promise.reject(error) : rename(temporary, to)))
    return true
  } catch (error) {
    if (isThere(error)) return false
    throw error
  } finally {
    await rm(temporary, { force: true })
  }
}

function read(path: string): Promise<string | null> {
  return readFile(path, BYTES).catch(nullWhenMissing)
}

function isRefused(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error))
}

function isThere(error: unknown): boolean {
  return codeOf(error) === 'EEXIST'
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
