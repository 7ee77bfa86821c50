import { type JsonRecord, textOf } from '../../core/json.ts'
import type { ToolMap, ToolOutcome } from '../kit/tools.ts'

export const TOOLS: ToolMap = {
  run_shell_command: { kind: 'shell', command: 'command' },
  read_file: { kind: 'read', path: 'file_path' },
  write_file: { kind: 'write', path: 'file_path', content: 'content' },
  edit: { kind: 'patch', path: 'file_path' },
  notebook_edit: { kind: 'patch', path: 'notebook_path' },
  skill: { kind: 'skill', skill: 'skill' },
  agent: { kind: 'subagent', agent: 'subagent_type', prompt: 'prompt' },
}

/** What a command printed, where the CLI reports how it ended, too: not after a plain success. */
const SHELL_REPORT = /^Command: [\s\S]*?\nOutput: ([\s\S]*)\nError: [\s\S]*?\nExit Code: (-?\d+|\(none\))\n/
const NEW_FILE = /^Successfully created and wrote to new file/

/** Only the text that the model sees: there is no structured result. */
export function toolOutcome(block: JsonRecord): ToolOutcome {
  const output = textOf(block.content)
  const [, printed, exitCode] = SHELL_REPORT.exec(output) ?? []
  const outcome: ToolOutcome = {
    output: block.content,
    stdout: printed === undefined ? output : printed === '(empty)' ? '' : printed,
    exitCode: exitCode === undefined ? undefined : exitCode === '(none)' ? -1 : Number(exitCode),
    created: NEW_FILE.test(output),
  }
  return block.is_error === true ? { ...outcome, error: output, stdout: printed } : outcome
}
