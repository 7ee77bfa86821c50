import { userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { AgentMuxError } from '../contract/errors.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Where our own state is: databases, launches, the spool. Settings are not there but in the config directory. */
export function dataDirectory(configDir: string, env: Environment): string {
  return env.AGENT_MUX_DATA_DIR || join(configDir, 'data')
}

/**
 * The user's home. An empty or relative `HOME` does not count: it would make the current directory, which may be a
 * stranger's repository, the place of the user's own settings.
 */
export function homeDirectory({ HOME }: Environment): string {
  return HOME !== undefined && isAbsolute(HOME) ? HOME : homeOfUser()
}

/** A user without a name, as in many containers, has no home but the one that `HOME` says. */
function homeOfUser(): string {
  try {
    return userInfo().homedir
  } catch {
    const hint = 'Set HOME to an absolute path.'
    throw new AgentMuxError('CONFIG_ERROR', `HOME is not set, and user ${process.getuid?.()} has no home`, { hint })
  }
}
