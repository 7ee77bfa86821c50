import { type JsonRecord, parseRecord, textOf } from '../../core/json.ts'
import { exitCodeOf, type ToolMap, type ToolOutcome } from '../kit/tools.ts'

export const TOOLS: ToolMap = {
  Bash: { kind: 'shell', command: 'cmd' },
  Read: { kind: 'read', path: 'path' },
  create_file: { kind: 'write', path: 'path', content: 'content' },
  edit_file: { kind: 'patch', path: 'path' },
  Task: { kind: 'subagent', agent: 'description', prompt: 'prompt' },
}

export function toolOutcome(block: JsonRecord): ToolOutcome {
  const output = textOf(block.content)
  const report = parseRecord(output) ?? {}
  const stdout = textOf(report.output ?? output)
  const error = block.is_error === true ? output : undefined
  return { output: block.content, stdout, exitCode: exitCodeOf(report), error }
}
