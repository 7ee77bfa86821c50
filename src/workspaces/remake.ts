import { existsSync } from 'node:fs'
import { git } from './git.ts'
import { preservedRef, type Worktree } from './worktree.ts'

/** Whether a worktree that is gone can be made again: its repository has a commit to start from. */
export async function canRemake({ repository, branch, base }: Worktree): Promise<boolean> {
  if (!existsSync(repository)) return false
  return (await commitOf(repository, `refs/heads/${branch}`)) !== null || (await commitOf(repository, base)) !== null
}

/**
 * Makes a worktree again that somebody has removed: on its branch as it was left, and with the work that was kept
 * aside when it was removed. Does nothing when it is there.
 */
export async function remakeWorktree(worktree: Worktree, sessionId: string): Promise<void> {
  const { root, repository, branch, base } = worktree
  if (existsSync(root)) return
  await git(repository, ['worktree', 'prune'])
  const from =
    (await commitOf(repository, `refs/heads/${branch}`)) === null ? ['-b', branch, root, base] : [root, branch]
  await git(repository, ['worktree', 'add', '--quiet', ...from])
  const kept = await commitOf(repository, preservedRef(sessionId))
  if (kept === null) return
  // As it was: in the files, and in no commit.
  await git(root, ['read-tree', '-u', '--reset', kept])
  await git(root, ['reset', '--quiet'])
}

async function commitOf(repository: string, name: string): Promise<string | null> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]
  return git(repository, args).catch(() => null)
}
