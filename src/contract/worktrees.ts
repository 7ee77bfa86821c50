/** What `worktrees.create` takes. */
export interface WorktreeOptions {
  /** In the repository, or below it; the current directory unless given. */
  cwd?: string | undefined
  /** The branch is `amux/<name>`. A new one unless given. */
  name?: string | undefined
  /** The commit to start from; HEAD unless given. */
  base?: string | undefined
}

/** A worktree of git for one run or more: `cwd: worktree.path`. */
export interface RunWorktree extends AsyncDisposable {
  readonly name: string
  /** As `cwd` of a run: the directory that was asked for, in the worktree. */
  readonly path: string
  /** The top of the worktree. */
  readonly root: string
  readonly repository: string
  readonly branch: string
  /** The commit that it began with. */
  readonly base: string
  /**
   * Removes the directory and keeps the work: commits stay on the branch, and what was in no commit goes to a ref, whose
   * name is the answer. `await using` does the same.
   */
  remove(): Promise<string | null>
}

/** Worktrees of git for runs that must not get in each other's way. */
export interface WorktreeManager {
  create(options?: WorktreeOptions): Promise<RunWorktree>
  /** Those of ours that the repository has, such as those of a program that crashed. */
  list(options?: Pick<WorktreeOptions, 'cwd'>): Promise<RunWorktree[]>
}
