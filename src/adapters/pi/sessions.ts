import type { SessionFiles } from '../../contract/session-store.ts'
import { treeLog } from '../families/pi/session-log.ts'
import { readSessionTree } from '../families/pi/session-tree.ts'

const SESSION_FILE = /^(?:([^/]+)\/)?[^/_]+_[^/]+\.jsonl$/

/** The folder of a project: its path without the first slash, with dashes for the others. */
function projectFolder(cwd: string): string {
  return `--${cwd.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-')}--`
}

/** `<agent>/sessions/<project>/<time>_<id>.jsonl`; without a folder where the directory is one that the user chose. */
export const sessions: SessionFiles = {
  isSession(relativePath, cwd) {
    const match = SESSION_FILE.exec(relativePath)
    return match !== null && (cwd === undefined || match[1] === undefined || match[1] === projectFolder(cwd))
  },
  log: treeLog(),
  read: (lines, filePath) => readSessionTree('pi', lines, filePath),
}
