import { asNumber, asRecord, asString, type JsonRecord, parseRecord, textOf } from '../../core/json.ts'
import { exitCodeOf, type ToolCall, type ToolMap, type ToolOutcome } from '../kit/tools.ts'

export const TOOLS: ToolMap = {
  run_terminal_command: { kind: 'shell', command: 'command' },
  read_file: { kind: 'read', path: 'target_file' },
  write: { kind: 'write', path: 'file_path', content: 'content' },
  search_replace: { kind: 'patch', path: 'file_path' },
  spawn_subagent: { kind: 'subagent', agent: 'subagent_type', prompt: 'prompt' },
}

/** The result of a call for a sub-agent that goes on by itself, and its id. */
export const BACKGROUND = /^Subagent started in background\.\nsubagent_id: (\S+)/

const MCP_TARGET = /^(.+?)__(.+)$/

/** A call as all adapters spell it: those of MCP servers go through one tool. */
export function toolCallOf(toolCallId: string, nativeName: string, input: unknown): ToolCall {
  const { tool_name, tool_input, background } = asRecord(input) ?? {}
  const [, server, tool] = (nativeName === 'use_tool' && MCP_TARGET.exec(asString(tool_name) ?? '')) || []
  if (server !== undefined) return { toolCallId, toolName: `mcp__${server}__${tool}`, input: tool_input ?? input }
  return { toolCallId, toolName: nativeName, input, inBackground: background !== false }
}

const CREATED = /has been created\.$/

/** What `rawOutput` says in words, or undefined. Each tool has a form of its own, under the name of how it went. */
export function resultText(native: JsonRecord): string | undefined {
  const { type: _, ...variants } = native
  const reported = asString(native.output_for_prompt)
  if (reported !== undefined) return reported.replace(/^exit: -?\d+\n/, '')
  if (native.type === 'MCP') return textOf(Object.values(asRecord(native.output) ?? {})[0])
  for (const value of Object.values(variants)) {
    const { tool_output_for_prompt, summary_for_prompt, content } = asRecord(value) ?? {}
    const text = [value, tool_output_for_prompt, summary_for_prompt, content].find((one) => typeof one === 'string')
    if (text !== undefined) return textOf(text)
  }
  return undefined
}

/** Whether the file was not there before. */
export function isCreated(native: JsonRecord): boolean {
  return CREATED.test(resultText(native) ?? '')
}

/** In `streaming-messages-json` the result of a tool is a record of its own, as text. */
export function toolOutcome(block: JsonRecord): ToolOutcome {
  const text = textOf(block.content)
  const native = asRecord(parseRecord(text)) ?? {}
  const output = resultText(native) ?? text
  const error = block.is_error === true ? output : undefined
  const exitCode = exitCodeOf(native) ?? asNumber(native.exit_code)
  return { output, error, stdout: output, exitCode, created: isCreated(native) }
}
