import { execFile } from 'node:child_process'
import { AgentMuxError } from '../contract/errors.ts'
import { LIST_FILTERS, WITHOUT_FETCHING, WITHOUT_PROGRAMS, withoutFilters } from '../process/git-safety.ts'
import { withoutRelativePath } from '../process/search-path.ts'

// A checkout of a large repository takes its time.
const TIMEOUT_MS = 300_000
const MAX_OUTPUT = 64 * 1024 * 1024

/**
 * Runs git in a directory and gives its output, without the newline at the end. Rejects when git does. No program that
 * the repository names is run.
 */
export async function git(
  directory: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const filters = WRITES.has(args[0] ?? '') ? await run(directory, LIST_FILTERS, {}).catch(() => '') : ''
  return run(directory, args, { ...withoutFilters(filters), ...env })
}

/** Subcommands that take file content in or out, and so through its filters. */
const WRITES: ReadonlySet<string> = new Set(['worktree', 'checkout', 'add', 'status', 'read-tree', 'reset'])

function run(directory: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const options = {
    cwd: directory,
    env: { ...gitEnvironment(), ...env },
    timeout: TIMEOUT_MS,
    maxBuffer: MAX_OUTPUT,
    windowsHide: true,
  }
  return new Promise((resolve, reject) => {
    execFile('git', [...WITHOUT_PROGRAMS, ...args], options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout.replace(/\n$/, ''))
      else reject(gitError(args, stderr || error.message, error))
    })
  })
}

function gitError(args: readonly string[], text: string, cause: Error): AgentMuxError {
  if ('code' in cause && cause.code === 'ENOENT') {
    return new AgentMuxError('CONFIG_ERROR', 'git is not installed', { hint: 'Worktrees need it.', cause })
  }
  if (/^fatal: transport '.*' not allowed$/m.test(text)) {
    const hint = 'Fetch them yourself, for example by a checkout of that commit: agent-mux does not fetch.'
    return new AgentMuxError('CONFIG_ERROR', `git ${args[0]}: files of this partial clone are missing`, { hint, cause })
  }
  const message = text.trim().replace(/^(fatal|error): /, '')
  return new AgentMuxError('CONFIG_ERROR', `git ${args[0]}: ${message}`, { cause })
}

/** Ours without the variables that would point git at another repository, as they do below a git hook. */
function gitEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))
  return { ...withoutRelativePath(Object.fromEntries(own)), ...WITHOUT_FETCHING, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' }
}
