import { mkdir, rmdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The directories that `path` lacks above it, outermost first. */
export async function missingDirectories(path: string): Promise<string[]> {
  const missing: string[] = []
  for (let directory = dirname(path); ; directory = dirname(directory)) {
    const found = await stat(directory).catch(() => null)
    if (found || dirname(directory) === directory) return missing
    missing.unshift(directory)
  }
}

export async function makeDirectories(directories: readonly string[]): Promise<void> {
  for (const directory of directories) await mkdir(directory, { recursive: true, mode: 0o755 })
}

/** Takes back those that are empty by now. */
export async function removeDirectories(directories: readonly string[]): Promise<void> {
  for (const directory of directories.toReversed()) {
    try {
      await rmdir(directory)
    } catch {
      // Somebody else has put something there, so it stays.
      return
    }
  }
}
