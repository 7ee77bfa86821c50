import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { access, chmod, constants, copyFile, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

const MAX_LINKS = 40

/**
 * Replaces a file in one step: readers see the old content or the new one, never a part. Writes through a symlink,
 * since people keep their settings in a dotfiles folder. Mode and owner stay; a new file is private unless `mode`
 * says otherwise. When anything fails the original is untouched.
 */
export async function atomicWrite(filePath: string, content: string, options: { mode?: number } = {}): Promise<void> {
  const target = await followLinks(filePath)
  const existing = await stat(target).catch(nullWhenMissing)
  // A rename would get past the write protection of a file that its owner locked.
  if (existing) await access(target, constants.W_OK)
  if (existing && existing.nlink > 1) return writeInPlace(target, content, existing.mode)
  const temporary = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`)
  try {
    const handle = await open(temporary, 'wx', 0o600)
    try {
      await handle.writeFile(content)
      // Only root can hand a file back to another owner; for anyone else it is theirs already.
      if (existing) await handle.chown(existing.uid, existing.gid).catch(() => {})
      await handle.chmod(existing ? existing.mode & 0o7777 : (options.mode ?? 0o600))
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  }
  await syncDirectory(dirname(target))
}

/**
 * A file with other names keeps them: a rename would leave those with the old content. What it held is beside it until
 * the new content is on disk, as `.<name>.<id>.backup`.
 */
async function writeInPlace(target: string, content: string, mode: number): Promise<void> {
  const backup = join(dirname(target), `.${basename(target)}.${randomUUID()}.backup`)
  await copyFile(target, backup, constants.COPYFILE_EXCL)
  await chmod(backup, mode & 0o700)
  const file = await open(target, 'r+')
  try {
    const bytes = Buffer.from(content)
    for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at, bytes.length - at, at)).bytesWritten
    await file.truncate(bytes.length)
    await file.sync()
  } catch (error) {
    await file.close()
    await copyFile(backup, target)
    await rm(backup, { force: true })
    throw error
  }
  await file.close()
  await rm(backup, { force: true })
}

/** The file that a chain of symlinks ends at, whether it exists or not. */
export async function followLinks(filePath: string): Promise<string> {
  let target = resolve(filePath)
  for (let hops = 0; hops < MAX_LINKS; hops++) {
    const link = await readlink(target).catch(() => null)
    if (link === null) return target
    target = resolve(await realpath(dirname(target)), link)
  }
  throw new Error(`Too many symbolic links: ${filePath}`)
}

export function nullWhenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
  throw error
}

// Makes the rename survive a power cut. Not every file system and not Windows can do it.
async function syncDirectory(directory: string): Promise<void> {
  try {
    const handle = await open(directory, 'r')
    await handle.sync().finally(() => handle.close())
  } catch {}
}

/** The same at once, for what must be on the disk before anything follows from it. */
export function syncDirectorySync(directory: string): void {
  try {
    const fd = openSync(directory, 'r')
    try {
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
  } catch {}
}
