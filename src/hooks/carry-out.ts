import { access, chmod, constants, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { AgentMuxError } from '../contract/errors.ts'
import { atomicWrite, followLinks, nullWhenMissing } from '../files/atomic-write.ts'
import { asConfigError } from '../files/config-error.ts'
import { readText } from '../files/documents.ts'
import { withFileLock } from '../files/lock.ts'
import { changeJournal, type Owner, sameOwner } from './journal.ts'
import { makeDirectories, removeDirectories } from './own-directories.ts'
import type { Pending } from './pending.ts'

/** Makes the changes. The journal knows of each before it is made, and forgets it only after it is undone. */
export async function carryOut(dataDir: string, owner: Owner, pending: readonly Pending[]): Promise<void> {
  for (const { path, before, next } of pending) if (next !== before) await checkWritable(path)
  const remembered = pending.flatMap(({ remember }) => (remember ? [remember] : []))
  const forget = async (isDone: (pending: Pending) => boolean) => {
    const paths = pending.filter(isDone).map(({ path }) => path)
    await changeJournal(dataDir, (entries) => [
      ...entries.filter((entry) => !paths.includes(entry.path) || !sameOwner(entry, owner)),
      ...remembered.filter(({ path }) => paths.includes(path)),
    ])
  }
  if (remembered.length > 0) await forget(({ remember }) => remember !== null)
  for (const change of pending) await write(change)
  if (remembered.length < pending.length) await forget(({ remember }) => remember === null)
}

/** Before anything is written: of several files, none is changed when one cannot be. */
async function checkWritable(path: string): Promise<void> {
  const target = await followLinks(path)
  const found = await stat(target).catch(nullWhenMissing)
  if (found) await access(target, constants.W_OK).catch(asConfigError(path))
  // The directories that a plan needs are made; where a link of the user's leads, nothing is.
  else if (target !== resolve(path)) await stat(dirname(target)).catch(asConfigError(path))
}

async function write({ path, before, next, executable, directories }: Pending): Promise<void> {
  if (next !== null && next !== before) await makeDirectories(directories)
  if (next !== before) {
    const target = await followLinks(path)
    await withFileLock(target, async () => {
      if ((await readText(target)) !== before) {
        throw new AgentMuxError('CONFIG_ERROR', `${path} was changed by somebody else just now`, {
          recoverable: true,
          hint: 'Try again.',
        })
      }
      if (next === null) await rm(target, { force: true })
      else await atomicWrite(target, next)
      if (next !== null && executable) await chmod(target, 0o755)
    })
  }
  if (next === null) await removeDirectories(directories)
}
