import { execFile } from 'node:child_process'
import { AgentMuxError } from '../../contract/errors.ts'

// A checkout of a large repository takes its time.
const TIMEOUT_MS = 300_000
const MAX_OUTPUT = 64 * 1024 * 1024

/** Runs git in a directory and gives its output, without the newline at the end. Rejects when git does. */
export async function git(
  directory: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const options = {
    cwd: directory,
    env: { ...gitEnvironment(), ...env },
    timeout: TIMEOUT_MS,
    maxBuffer: MAX_OUTPUT,
    windowsHide: true,
  }
  return new Promise((resolve, reject) => {
    execFile('git', args, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout.replace(/\n$/, ''))
      else reject(gitError(args, stderr || error.message, error))
    })
  })
}

function gitError(args: readonly string[], text: string, cause: Error): AgentMuxError {
  if ('code' in cause && cause.code === 'ENOENT') {
    return new AgentMuxError('CONFIG_ERROR', 'git is not installed', { hint: 'Worktrees need it.', cause })
  }
  const message = text.trim().replace(/^(fatal|error): /, '')
  return new AgentMuxError('CONFIG_ERROR', `git ${args[0]}: ${message}`, { cause })
}

/** Ours without the variables that would point git at another repository, as they do below a git hook. */
function gitEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))
  return { ...Object.fromEntries(own), GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' }
}
