import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Leftover } from '../contract/api/leftover.ts'
import type { Workspace } from '../contract/api/managed-session.ts'
import { AgentMuxError } from '../contract/errors.ts'
import { quoteWord } from '../core/command-line.ts'
import { nullWhenMissing } from '../files/atomic-write.ts'
import { git } from './git.ts'

export type Worktree = Extract<Workspace, { kind: 'worktree' }>

const IDENTITY = {
  GIT_AUTHOR_NAME: 'agent-mux',
  GIT_AUTHOR_EMAIL: 'agent-mux@localhost',
  GIT_COMMITTER_NAME: 'agent-mux',
  GIT_COMMITTER_EMAIL: 'agent-mux@localhost',
}

export function worktreesDirectory(dataDir: string): string {
  return join(dataDir, 'worktrees')
}

/** Where work that was in no commit is kept. Not `refs/amux/`: that would make the name of the branch ambiguous. */
export function preservedRef(sessionId: string): string {
  return `refs/amux-kept/${sessionId}`
}

/** A worktree on its own branch, `amux/<session>`, from `base` or from the commit of the directory. */
export async function createWorktree(request: {
  cwd: string
  base?: string
  sessionId: string
  dataDir: string
}): Promise<Worktree> {
  const { cwd, base = 'HEAD', sessionId, dataDir } = request
  const [repository, prefix] = await locate(cwd)
  const name = ['--end-of-options', `${base}^{commit}`]
  const commit = await git(cwd, ['rev-parse', '--verify', '--quiet', ...name]).catch(() => null)
  if (commit === null) {
    throw new AgentMuxError('VALIDATION_ERROR', `${base} is not a commit of ${repository}`, {
      hint: base === 'HEAD' ? 'A worktree needs a first commit.' : undefined,
    })
  }
  const root = join(worktreesDirectory(dataDir), `${basename(repository)}-${sessionId}`)
  await mkdir(dirname(root), { recursive: true, mode: 0o700 })
  const branch = `amux/${sessionId}`
  await git(repository, ['worktree', 'add', '--quiet', '-b', branch, root, commit])
  return { kind: 'worktree', path: join(root, prefix), root, repository, branch, base: commit }
}

/** The main directory of the repository, which outlives its worktrees, and where we are below the top. */
async function locate(cwd: string): Promise<[string, string]> {
  try {
    const prefix = await git(cwd, ['rev-parse', '--show-prefix'])
    const [first = ''] = (await git(cwd, ['worktree', 'list', '--porcelain'])).split('\n')
    return [first.replace(/^worktree /, ''), prefix.replace(/\/$/, '')]
  } catch (error) {
    throw new AgentMuxError('VALIDATION_ERROR', `${cwd} is not in a git repository`, {
      hint: 'Leave the worktree out to work in the directory itself.',
      cause: error,
    })
  }
}

/**
 * Removes a worktree and keeps all work in it: commits stay on its branch, and what was in no commit goes to a ref
 * of its own, whose name is the answer. Files that git ignores go. Git itself does the removal, without force: it
 * looks again whether anything has changed since, and then refuses.
 */
export async function removeWorktree(worktree: Worktree, sessionId: string): Promise<string | null> {
  const { root, repository } = worktree
  if (!existsSync(repository)) return null
  let preserved: string | null = null
  if (existsSync(root)) {
    preserved = await preserve(root, sessionId)
    await git(repository, ['worktree', 'remove', root]).catch((error: unknown) => {
      throw refused(root, error)
    })
  } else await git(repository, ['worktree', 'prune'])
  await deleteUnusedBranch(worktree)
  return preserved
}

/** Git removes no worktree with submodules, nor what has changed since we looked. */
function refused(root: string, cause: unknown): AgentMuxError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new AgentMuxError('INVALID_STATE_TRANSITION', `Its worktree stays: ${why}`, {
    hint: `Look at ${root}, and when nothing there is needed: git worktree remove --force ${quoteWord(root)}`,
    cause,
  })
}

/** Commits what is not committed to a ref, without touching a file, and moves the worktree to that commit. */
async function preserve(root: string, sessionId: string): Promise<string | null> {
  const changes = await git(root, ['status', '--porcelain', '--untracked-files=all'])
  if (changes === '') return preserveHead(root, sessionId)
  const commit = await snapshot(root, `Work of session ${sessionId} that was not committed`)
  const ref = preservedRef(sessionId)
  await git(root, ['update-ref', ref, commit])
  // From here on the worktree is clean, seen from this commit; whatever is changed later makes the removal fail.
  await git(root, ['checkout', '--quiet', '--detach'])
  await git(root, ['update-ref', 'HEAD', commit])
  await git(root, ['read-tree', commit])
  return ref
}

/** Commits that no branch has, as those of a detached HEAD, would go with the worktree. */
async function preserveHead(root: string, sessionId: string): Promise<string | null> {
  if ((await git(root, ['for-each-ref', '--count=1', '--contains', 'HEAD'])) !== '') return null
  const ref = preservedRef(sessionId)
  await git(root, ['update-ref', ref, 'HEAD'])
  return ref
}

async function snapshot(root: string, message: string): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), 'agent-mux-index-'))
  try {
    const index = { GIT_INDEX_FILE: join(scratch, 'index') }
    await git(root, ['read-tree', 'HEAD'], index)
    await git(root, ['add', '--all'], index)
    const tree = await git(root, ['write-tree'], index)
    return await git(root, ['commit-tree', tree, '-p', 'HEAD', '-m', message], IDENTITY)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** A branch with commits of its own stays for the user. */
async function deleteUnusedBranch({ repository, branch, base }: Worktree): Promise<void> {
  // Deletes it only if it is still where it began.
  await git(repository, ['update-ref', '-d', `refs/heads/${branch}`, base]).catch(() => undefined)
}

/** Worktrees of ours that no session knows any more. */
export async function leftoverWorktrees(dataDir: string, known: readonly Workspace[]): Promise<Leftover[]> {
  const directory = worktreesDirectory(dataDir)
  const names = (await readdir(directory).catch(nullWhenMissing)) ?? []
  const roots = new Set(known.flatMap((one) => (one.kind === 'worktree' ? [one.root] : [])))
  return names
    .map((name) => join(directory, name))
    .filter((path) => !roots.has(path))
    .map((path) => ({
      kind: 'worktree',
      path,
      why: 'no session uses this worktree any more',
      next: `look at it, then: git worktree remove ${quoteWord(path)}`,
    }))
}

/** Those of the repository of `cwd` that are in this directory, on branches of ours. */
export async function worktreesBelow(directory: string, cwd: string): Promise<Worktree[]> {
  const [repository] = await locate(cwd)
  const within = await realpath(directory).catch(() => directory)
  const listed = (await git(repository, ['worktree', 'list', '--porcelain'])).split('\n\n')
  const found = listed.flatMap((block) => {
    const root = /^worktree (.+)$/m.exec(block)?.[1]
    const branch = /^branch refs\/heads\/(amux\/.+)$/m.exec(block)?.[1]
    return root !== undefined && branch !== undefined && dirname(root) === within ? [{ root, branch }] : []
  })
  return Promise.all(
    found.map(async ({ root, branch }) => {
      const base = await git(repository, ['merge-base', 'HEAD', `refs/heads/${branch}`]).catch(() => '')
      return { kind: 'worktree', path: root, root, repository, branch, base }
    }),
  )
}

/** The main directory of the repository that a directory is in; null when it is in none. */
export async function repositoryOf(directory: string): Promise<string | null> {
  return locate(directory).then(
    ([repository]) => repository,
    () => null,
  )
}

/** Refs that keep the work of removed sessions. */
export async function keptRefs(repository: string): Promise<string[]> {
  if (!existsSync(repository)) return []
  const refs = await git(repository, ['for-each-ref', '--format=%(refname)', preservedRef('')]).catch(() => '')
  return refs.split('\n').filter((ref) => ref !== '')
}

/** The directory as the system names it; agents compare paths. */
export async function directoryWorkspace(cwd: string): Promise<Workspace> {
  return { kind: 'directory', path: await realpath(cwd) }
}
