import { execFileSync } from 'node:child_process'

/** Nothing of what this machine or its user has set up: no signing, no hooks, no other line ends; a name to commit by. */
const SETTINGS = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 't',
  GIT_AUTHOR_EMAIL: 't@localhost',
  GIT_COMMITTER_NAME: 't',
  GIT_COMMITTER_EMAIL: 't@localhost',
}

/** Runs git as a test wants it, in a directory, and gives its output. */
export function plainGit(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd,
    encoding: 'utf8',
    stdio: 'pipe',
    env: { ...withoutGit(process.env), ...SETTINGS },
  }).trim()
}

/** Below a git hook these point at another repository. */
function withoutGit(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')))
}
