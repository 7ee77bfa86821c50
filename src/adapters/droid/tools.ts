import { textOf } from '../../core/json.ts'
import type { ToolCall, ToolMap, ToolOutcome } from '../kit/tools.ts'

export const TOOLS: ToolMap = {
  Execute: { kind: 'shell', command: 'command' },
  Read: { kind: 'read', path: 'file_path' },
  Create: { kind: 'write', path: 'file_path', content: 'content' },
  Edit: { kind: 'patch', path: 'file_path' },
  ApplyPatch: { kind: 'patch_text', patch: 'input' },
  Skill: { kind: 'skill', skill: 'skill' },
}

/** `exec` does not report the session of a sub-agent: only the call does. */
export const EXEC_TOOLS: ToolMap = {
  ...TOOLS,
  Task: { kind: 'subagent', agent: 'subagent_type', prompt: 'prompt' },
}

const PROCESS_EXIT = /\n*\[Process exited with code (-?\d+)\]\s*$/
const FAILED_COMMAND = /^Error: Command failed \(exit code: -?\d+\)\n/

/** The text that the model sees; the end of a command is in its last line. */
export function toolOutcome(call: ToolCall, content: unknown, isError: boolean): ToolOutcome {
  const output = textOf(content)
  const error = isError ? output.replace(/^Error: /, '') : undefined
  const exit = PROCESS_EXIT.exec(output)
  if (!exit) return { output, error, created: call.toolName === 'Create' }
  const stdout = output.slice(0, exit.index).replace(FAILED_COMMAND, '')
  return { output, error, exitCode: Number(exit[1]), stdout: stdout === 'Command completed successfully' ? '' : stdout }
}
