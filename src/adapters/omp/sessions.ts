import type { SessionFiles } from '../../contract/session-store.ts'
import { treeLog } from '../families/pi/session-log.ts'
import { readSessionTree } from '../families/pi/session-tree.ts'
import { filesByProject } from '../kit/session.ts'

const SESSION_FILE = /^([^/]+)\/[^/_]+_[^/]+\.jsonl$/
const SUBAGENT_FILE = /^[^/]+\/[^/_]+_([^/]+)\/.+\.jsonl$/

/** A project below the home goes by its path from there, others by the whole one. */
function isProjectFolder(folder: string, cwd: string): boolean {
  const slug = cwd.replace(/[/\\:]/g, '-')
  return folder === `-${slug}--` || slug.endsWith(folder)
}

/** `<agent>/sessions/<project>/<time>_<id>.jsonl`; its sub-agents lie in a folder of that name. */
export const sessions: SessionFiles = {
  isSession: filesByProject(SESSION_FILE, isProjectFolder),
  parentOf: (relativePath) => SUBAGENT_FILE.exec(relativePath)?.[1],
  log: treeLog(),
  read: (lines, filePath) => readSessionTree('omp', lines, filePath),
}
