import { basename, dirname, join, relative, resolve } from 'node:path'

/**
 * For a path in a linked git worktree, the same path in the main one; null for any other. A worktree's `.git` file names
 * its place in the repository, and that place names the file: both must agree. The place must also be where git makes
 * it, below the `.git` of the main worktree: anywhere else, a stranger could have written both.
 */
export function mainWorktreeOf(
  path: string,
  read: (path: string) => string,
  real: (path: string) => string,
): string | null {
  const attempt = (file: string) => {
    try {
      return read(file).trim()
    } catch {
      return null
    }
  }
  for (let top = dirname(path); dirname(top) !== top; top = dirname(top)) {
    const link = attempt(join(top, '.git'))
    const gitDir = link === null ? null : /^gitdir: (.+)$/.exec(link)?.[1]
    if (!gitDir) continue
    const place = real(resolve(top, gitDir))
    const back = attempt(join(place, 'gitdir'))
    const common = attempt(join(place, 'commondir'))
    if (back === null || common === null || resolve(place, back) !== join(top, '.git')) return null
    const repository = real(resolve(place, common))
    if (basename(repository) !== '.git' || dirname(place) !== join(repository, 'worktrees')) return null
    return join(dirname(repository), relative(top, path))
  }
  return null
}
