import { asRecord, asString, type JsonRecord, parseRecord, textOf } from '../../core/json.ts'
import { exitCodeOf, type ToolMap, type ToolOutcome } from '../../core/tools.ts'

export const TOOLS: ToolMap = {
  run_terminal_command: { kind: 'shell', command: 'command' },
  read_file: { kind: 'read', path: 'target_file' },
  write: { kind: 'write', path: 'file_path', content: 'content' },
  search_replace: { kind: 'patch', path: 'file_path' },
}

/** In `streaming-messages-json` the result of a tool is a record of its own, as text. */
export function toolOutcome(block: JsonRecord): ToolOutcome {
  const text = textOf(block.content)
  const native = asRecord(parseRecord(text)) ?? {}
  const output = asString(native.output_for_prompt)?.replace(/^exit: -?\d+\n/, '') ?? text
  const error = block.is_error === true ? output : undefined
  return { output, error, stdout: output, exitCode: exitCodeOf(native) }
}
