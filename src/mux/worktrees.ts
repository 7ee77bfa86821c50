import { join } from 'node:path'
import { ValidationError } from '../contract/errors.ts'
import type { RunWorktree, WorktreeManager, WorktreeOptions } from '../contract/worktrees.ts'
import { ulid } from '../core/ulid.ts'
import type { Worktree } from '../workspaces/worktree.ts'

const NAME = /^[A-Za-z0-9][\w-]*$/

/** `mux.worktrees`. What talks to git is loaded with the first call. They are not those of managed sessions. */
export function worktreesOf(dataDir: () => string): WorktreeManager {
  const load = () => import('../workspaces/worktree.ts')
  const ownDir = () => join(dataDir(), 'library')
  const toRun = (worktree: Worktree, name: string): RunWorktree => {
    const remove = async () => (await load()).removeWorktree(worktree, name)
    const { path, root, repository, branch, base } = worktree
    return {
      ...{ name, path, root, repository, branch, base, remove },
      async [Symbol.asyncDispose]() {
        await remove()
      },
    }
  }
  return {
    async create(options: WorktreeOptions = {}) {
      const { cwd = process.cwd(), name = ulid(Date.now()).slice(-10).toLowerCase(), base } = options
      if (!NAME.test(name)) {
        const expected = 'letters, digits, - and _'
        throw new ValidationError([{ field: 'name', message: `must be ${expected}`, received: name, expected }])
      }
      const { createWorktree } = await load()
      return toRun(await createWorktree({ cwd, sessionId: name, dataDir: ownDir(), ...(base && { base }) }), name)
    },
    async list({ cwd = process.cwd() } = {}) {
      const { worktreesBelow, worktreesDirectory } = await load()
      const found = await worktreesBelow(worktreesDirectory(ownDir()), cwd)
      return found.map((worktree) => toRun(worktree, worktree.branch.replace(/^amux\//, '')))
    },
  }
}
