import { relative, resolve, sep } from 'node:path'
import { AgentMuxError } from '../contract/errors.ts'
import { WITHOUT_FETCHING, WITHOUT_PROGRAMS } from '../process/git-safety.ts'
import { runCommand } from '../process/run-command.ts'
import { withoutRelativePath } from '../process/search-path.ts'

/** The exclude file of a repository, and the lines that it lacks so that git sees none of our files. */
export interface Excludes {
  file: string
  missing: string[]
}

/**
 * Looks whether git ignores the files that we are about to write. Null without a repository. A file that the
 * repository tracks is not ours to touch.
 */
export async function excludesFor(workspace: string, paths: readonly string[]): Promise<Excludes | null> {
  const prefix = await git(workspace, 'rev-parse', '--show-prefix')
  const file = await git(workspace, 'rev-parse', '--git-path', 'info/exclude')
  if (prefix === null || file === null) return null
  const missing: string[] = []
  for (const path of paths) {
    if ((await git(workspace, 'ls-files', '--error-unmatch', '--', path)) !== null) {
      throw new AgentMuxError('CONFIG_ERROR', `${path} is tracked by git, so it is not changed`, {
        hint: 'Install the hooks for the user instead of the workspace: --scope user.',
      })
    }
    if ((await git(workspace, 'check-ignore', '--quiet', '--', path)) === null) {
      missing.push(pattern(prefix, relative(workspace, path)))
    }
  }
  return { file: resolve(workspace, file), missing }
}

/** The text of an exclude file with these lines at its end. */
export function withExcludes(text: string, lines: readonly string[]): string {
  const above = text === '' || text.endsWith('\n') ? text : `${text}\n`
  return `${above}${lines.map((line) => `${line}\n`).join('')}`
}

/** From the root, and every character for itself. */
function pattern(prefix: string, path: string): string {
  return `/${prefix}${path.split(sep).join('/')}`.replace(/[*?[\\\]]/g, '\\$&').replace(/ $/, '\\ ')
}

async function git(cwd: string, ...args: string[]): Promise<string | null> {
  // Below a git hook these would point to another repository.
  const { GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE, ...env } = process.env
  try {
    const { code, stdout } = await runCommand('git', [...WITHOUT_PROGRAMS, ...args], {
      cwd,
      env: { ...withoutRelativePath(definedOnly(env)), ...WITHOUT_FETCHING },
    })
    return code === 0 ? stdout.replace(/\r?\n$/, '') : null
  } catch {
    // No git on this machine: then no repository looks at the file either.
    return null
  }
}

function definedOnly(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])))
}
