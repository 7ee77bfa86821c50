import { join } from 'node:path'
import { readSessionTree } from '../../core/pi-family/session-tree.ts'
import type { AdapterHost } from '../base.ts'
import type { SessionStore } from '../built-in.ts'

const SESSION_FILE = /^(?:([^/]+)\/)?[^/_]+_[^/]+\.jsonl$/

/** The folder of a project: its path without the first slash, with dashes for the others. */
function projectFolder(cwd: string): string {
  return `--${cwd.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-')}--`
}

function directory({ env, homeDir }: AdapterHost): string {
  if (env.PI_CODING_AGENT_SESSION_DIR) return env.PI_CODING_AGENT_SESSION_DIR
  return join(env.PI_CODING_AGENT_DIR || join(homeDir, '.pi', 'agent'), 'sessions')
}

/** `<agent>/sessions/<project>/<time>_<id>.jsonl`; without a folder where the directory is one that the user chose. */
export const sessions: SessionStore = {
  directory,
  isSession(relativePath, cwd) {
    const match = SESSION_FILE.exec(relativePath)
    return match !== null && (cwd === undefined || match[1] === undefined || match[1] === projectFolder(cwd))
  },
  read: (lines, filePath) => readSessionTree('pi', lines, filePath),
}
