import { basename } from 'node:path'
import { CapabilityError } from '../../contract/errors.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import type { RunFile } from '../../contract/spawn.ts'
import { skillDirectories } from '../kit/skills.ts'

const ADDED = 'added'

/**
 * Skills and instructions for one run: the CLI (2.1) reads both from directories that are added. The variable makes it
 * read `CLAUDE.md` there. In `deny` no settings are read, and skills count as such.
 */
export function addedDirectory(options: RunOptions, files: RunFile[]): { args: string[]; env: Record<string, string> } {
  const { agentsDoc, approvalMode } = options
  const skills = skillDirectories(options)
  if (skills.length === 0 && agentsDoc === undefined) return { args: [], env: {} }
  if (skills.length > 0 && approvalMode === 'deny') {
    throw new CapabilityError('claude', 'skills with approvalMode deny', {
      hint: 'The CLI reads no skills in that mode. Pass their text as agentsDoc.',
    })
  }
  for (const path of skills) files.push({ name: `${ADDED}/.claude/skills/${basename(path)}`, content: '', link: path })
  if (agentsDoc !== undefined) files.push({ name: `${ADDED}/CLAUDE.md`, content: agentsDoc })
  return {
    args: [`--add-dir={file:${ADDED}}`],
    env: agentsDoc === undefined ? {} : { CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD: '1' },
  }
}
