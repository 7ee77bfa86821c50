import { readdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'

interface Folder {
  /** As the caller will see it. */
  path: string
  /** Without symlinks: what tells two names of one folder apart from two folders. */
  real: string
  /** Below the start, with `/` on every platform. */
  relative: string
}

/**
 * Every file below `directory` whose path relative to it (written with `/`) is accepted: absolute, sorted. A folder
 * that is missing or may not be read counts as empty. Linked folders are visited once, after the real ones.
 */
export async function listFiles(directory: string, accept: (relativePath: string) => boolean): Promise<string[]> {
  const root = await realpath(directory).catch(() => null)
  if (root === null) return []
  const files: string[] = []
  const visited = new Set<string>()
  const folders: Folder[] = [{ path: directory, real: root, relative: '' }]
  const links: Folder[] = []

  for (let folder = folders.pop() ?? links.shift(); folder; folder = folders.pop() ?? links.shift()) {
    if (visited.has(folder.real)) continue
    visited.add(folder.real)
    const entries = await readdir(folder.path, { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const path = join(folder.path, entry.name)
      const relative = folder.relative === '' ? entry.name : `${folder.relative}/${entry.name}`
      if (entry.isDirectory()) {
        folders.push({ path, real: join(folder.real, entry.name), relative })
      } else if (entry.isFile()) {
        if (accept(relative)) files.push(path)
      } else if (entry.isSymbolicLink()) {
        const target = await linkTarget(path)
        if (target?.isFile && accept(relative)) files.push(path)
        // A link to a folder above the start would pull in half the disk.
        if (target?.isDirectory && !contains(target.real, root)) links.push({ path, real: target.real, relative })
      }
    }
  }
  return files.sort()
}

async function linkTarget(path: string): Promise<{ real: string; isFile: boolean; isDirectory: boolean } | null> {
  try {
    const [real, stats] = await Promise.all([realpath(path), stat(path)])
    return { real, isFile: stats.isFile(), isDirectory: stats.isDirectory() }
  } catch {
    return null
  }
}

function contains(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}
