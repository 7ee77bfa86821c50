import type { SessionFiles } from '../../contract/session-store.ts'
import { treeLog } from '../../core/pi-family/session-log.ts'
import { readSessionTree } from '../../core/pi-family/session-tree.ts'
import { filesByProject } from '../../core/session.ts'

const SESSION_FILE = /^([^/]+)\/[^/_]+_[^/]+\.jsonl$/

/** A project below the home goes by its path from there, others by the whole one. Sub-agents lie deeper. */
function isProjectFolder(folder: string, cwd: string): boolean {
  const slug = cwd.replace(/[/\\:]/g, '-')
  return folder === `-${slug}--` || slug.endsWith(folder)
}

/** `<agent>/sessions/<project>/<time>_<id>.jsonl` */
export const sessions: SessionFiles = {
  isSession: filesByProject(SESSION_FILE, isProjectFolder),
  log: treeLog(),
  read: (lines, filePath) => readSessionTree('omp', lines, filePath),
}
