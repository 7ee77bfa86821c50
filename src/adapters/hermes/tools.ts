import type { ToolMap } from '../kit/tools.ts'

export const TOOLS: ToolMap = {
  terminal: { kind: 'shell', command: 'command' },
  read_file: { kind: 'read', path: 'path' },
  write_file: { kind: 'write', path: 'path', content: 'content' },
  patch: { kind: 'patch', path: 'path' },
  delegate_task: { kind: 'subagent', agent: 'agent', prompt: 'goal' },
}

/** The titles of 0.19 by tool; every other tool has its name for a title. */
const TITLES: readonly (readonly [RegExp, string])[] = [
  [/^terminal: /, 'terminal'],
  [/^read: /, 'read_file'],
  [/^write: /, 'write_file'],
  [/^patch \(\w+\): /, 'patch'],
  [/^search: /, 'search_files'],
  [/^web search: /, 'web_search'],
  [/^extract: |^web extract$/, 'web_extract'],
  [/^process \w+/, 'process'],
  [/^delegate: |^delegate batch \(|^delegate task$/, 'delegate_task'],
  [/^session search: |^recent sessions$/, 'session_search'],
  [/^memory \w+: /, 'memory'],
  [/^python: |^python code$/, 'execute_code'],
  [/^todo(?: \(|$)/, 'todo'],
  [/^skill view \(/, 'skill_view'],
  [/^skills list(?: \(|$)/, 'skills_list'],
  [/^skill \w+: /, 'skill_manage'],
  [/^navigate: /, 'browser_navigate'],
  [/^browser snapshot$/, 'browser_snapshot'],
  [/^browser vision: /, 'browser_vision'],
  [/^browser images$/, 'browser_get_images'],
  [/^analyze image: /, 'vision_analyze'],
]

export function nameInTitle(title: string): string | undefined {
  return TITLES.find(([pattern]) => pattern.test(title))?.[1]
}

const RESULT =
  /^terminal result(?:\n- \*\*output:\*\* ([\s\S]*?))?\n- \*\*exit_code:\*\* (-?\d+)(?:\n- \*\*\w+:\*\* [\s\S]*)?$/
const FAILED = 'terminal failed: '

/** A list of what it knows of a command, in Markdown, with its output cut after 400 characters (0.19). */
export function shellResult(shown: string): { output: string; exitCode?: number } | null {
  const [isResult, output = '', exitCode] = RESULT.exec(shown) ?? []
  if (isResult !== undefined) return { output, exitCode: Number(exitCode) }
  return shown.startsWith(FAILED) ? { output: shown.slice(FAILED.length) } : null
}
