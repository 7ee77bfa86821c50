import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { isRecord } from '../core/json.ts'

interface Folder {
  /** As the caller will see it. */
  path: string
  /** Without symlinks: what distinguishes two names of one folder from two folders. */
  real: string
  /** Below the start, with `/` on every platform. */
  relative: string
}

export interface WalkedFile {
  path: string
  relative: string
}

export interface Walk {
  files: WalkedFile[]
  /** Folders that may not be read. */
  unreadable: string[]
}

/**
 * Every file below `directory` whose path relative to it (written with `/`) is accepted, sorted by path. A missing
 * folder counts as empty. Linked folders are visited once, after the real ones. `enters` decides by its name whether a
 * folder is looked into.
 */
export function walkFiles(
  directory: string,
  accept: (relativePath: string) => boolean,
  enters: (folderName: string) => boolean = () => true,
): Walk {
  const walk: Walk = { files: [], unreadable: [] }
  const root = realPathOf(directory)
  if (root === null) return walk
  const visited = new Set<string>()
  const folders: Folder[] = [{ path: resolve(directory), real: root, relative: '' }]
  const links: Folder[] = []
  for (let folder = folders.pop() ?? links.shift(); folder; folder = folders.pop() ?? links.shift()) {
    if (visited.has(folder.real)) continue
    visited.add(folder.real)
    for (const entry of entriesOf(folder.path, walk.unreadable)) {
      const path = `${folder.path}${sep}${entry.name}`
      const relative = folder.relative === '' ? entry.name : `${folder.relative}/${entry.name}`
      if (entry.isDirectory()) {
        if (!enters(entry.name)) continue
        folders.push({ path, real: `${folder.real}${sep}${entry.name}`, relative })
      } else if (entry.isFile()) {
        if (accept(relative)) walk.files.push({ path, relative })
      } else if (entry.isSymbolicLink()) {
        const target = linkTarget(path)
        if (target?.stats.isFile() && accept(relative)) walk.files.push({ path, relative })
        // A link to a folder above the start would pull in half the disk.
        if (target?.stats.isDirectory() && !contains(target.real, root))
          links.push({ path, real: target.real, relative })
      }
    }
  }
  walk.files.sort((a, b) => (a.path < b.path ? -1 : 1))
  return walk
}

function realPathOf(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

function entriesOf(path: string, unreadable: string[]): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch (error) {
    // A folder that has gone since it was seen is not a fault; one whose name is not UTF-8 seems to have gone, too.
    if (!(isRecord(error) && error.code === 'ENOENT') || path.includes('\ufffd')) unreadable.push(path)
    return []
  }
}

function linkTarget(path: string): { real: string; stats: Stats } | null {
  try {
    return { real: realpathSync(path), stats: statSync(path) }
  } catch {
    return null
  }
}

function contains(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}
