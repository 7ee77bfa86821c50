import { asRecord, textOf } from '../../core/json.ts'
import type { ToolCall, ToolMap, ToolOutcome } from '../../core/tools.ts'

export const TOOLS: ToolMap = {
  Execute: { kind: 'shell', command: 'command' },
  Read: { kind: 'read', path: 'file_path' },
  Create: { kind: 'write', path: 'file_path', content: 'content' },
  Edit: { kind: 'patch', path: 'file_path' },
  ApplyPatch: { kind: 'patch', path: 'file_path' },
}

const PROCESS_EXIT = /\n*\[Process exited with code (-?\d+)\]\s*$/
const FAILED_COMMAND = /^Error: Command failed \(exit code: -?\d+\)\n/

/** The text that the model sees; the end of a command stands in its last line. */
export function toolOutcome(call: ToolCall, content: unknown, isError: boolean): ToolOutcome {
  const output = textOf(content)
  const error = isError ? output.replace(/^Error: /, '') : undefined
  const exit = PROCESS_EXIT.exec(output)
  if (!exit) return { output, error, created: call.toolName === 'Create', diff: patchOf(call) }
  const stdout = output.slice(0, exit.index).replace(FAILED_COMMAND, '')
  return { output, error, exitCode: Number(exit[1]), stdout: stdout === 'Command completed successfully' ? '' : stdout }
}

const PATCHED_FILE = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/m

/** With models of OpenAI files are changed by a patch, which names the file itself. */
export function withPath(call: ToolCall): ToolCall {
  if (call.toolName !== 'ApplyPatch') return call
  return { ...call, input: { file_path: PATCHED_FILE.exec(patchOf(call))?.[1] ?? '' } }
}

function patchOf({ toolName, input }: ToolCall): string {
  return toolName === 'ApplyPatch' ? textOf(asRecord(input)?.input) : ''
}
