import { join } from 'node:path'
import { readSessionTree } from '../../core/pi-family/session-tree.ts'
import type { AdapterHost } from '../base.ts'
import type { SessionStore } from '../built-in.ts'

const SESSION_FILE = /^([^/]+)\/[^/_]+_[^/]+\.jsonl$/

/** A project below the home goes by its path from there, others by the whole one. Sub-agents lie deeper. */
function isProjectFolder(folder: string, cwd: string): boolean {
  const slug = cwd.replace(/[/\\:]/g, '-')
  return folder === `-${slug}--` || slug.endsWith(folder)
}

/** `<agent>/sessions/<project>/<time>_<id>.jsonl` */
export const sessions: SessionStore = {
  directory: ({ env, homeDir }: AdapterHost) =>
    join(env.PI_CODING_AGENT_DIR || join(homeDir, '.omp', 'agent'), 'sessions'),
  isSession(relativePath, cwd) {
    const folder = SESSION_FILE.exec(relativePath)?.[1]
    return folder !== undefined && (cwd === undefined || isProjectFolder(folder, cwd))
  },
  read: (lines, filePath) => readSessionTree('omp', lines, filePath),
}
