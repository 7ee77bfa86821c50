import type { Effect } from '../../contract/dialogue.ts'
import { asNumber, isRecord, textOf } from '../../core/json.ts'
import { fileEffects, inputField } from './tool-files.ts'

/** How to read one of an agent's own tools; the strings name the fields of its input. */
export type ToolKind =
  /** `separator`: the field is a list of commands, not of the words of one. */
  | { kind: 'shell'; command: string; separator?: string }
  | { kind: 'read'; path: string }
  | { kind: 'write'; path: string; content: string }
  | { kind: 'patch'; path: string }
  /** The field holds a patch that names its files itself. */
  | { kind: 'patch_text'; patch: string }
  | { kind: 'delete'; path: string }
  /** Runs another agent to its end. */
  | { kind: 'subagent'; agent: string; prompt: string }
  /** Loads one of the agent's skills. */
  | { kind: 'skill'; skill: string }
  | { kind: 'other' }

export type ToolMap = Readonly<Record<string, ToolKind>>

export interface ToolCall {
  toolCallId: string
  toolName: string
  input: unknown
  parentToolCallId?: string
  /** A sub-agent that goes on after its call has ended. */
  inBackground?: boolean
}

export interface ToolOutcome {
  output: unknown
  error?: string
  stdout?: string
  stderr?: string
  exitCode?: number
  /** Known when the agent says that the file did not exist before. */
  created?: boolean
  diff?: string
}

const MCP_NAME = /^mcp__(.+?)__(.+)$/
const MCP_SHORT_NAME = /^(.+?)___(.+)$/

/** `mcp__server__tool`, the spelling that most agents share, or `server___tool`. */
export function mcpTool(toolName: string): { server: string; toolName: string } | null {
  const match = MCP_NAME.exec(toolName) ?? MCP_SHORT_NAME.exec(toolName)
  return match?.[1] && match[2] ? { server: match[1], toolName: match[2] } : null
}

/** `tool_call_ready` and what the call means: a shell that starts, an MCP call. */
export function toolReady(map: ToolMap, call: ToolCall, cwd: string): Effect[] {
  const { toolCallId, toolName, input, parentToolCallId } = call
  const effects: Effect[] = [{ emit: { type: 'tool_call_ready', toolCallId, toolName, input, parentToolCallId } }]
  const tool = map[toolName]
  const mcp = mcpTool(toolName)
  if (tool?.kind === 'shell') {
    const command = inputField(input, tool.command, tool.separator)
    effects.push({ emit: { type: 'shell_start', command, cwd, toolCallId } })
  } else if (tool?.kind === 'subagent') {
    const subagent = { subagentId: toolCallId, agentName: inputField(input, tool.agent) }
    effects.push({ emit: { type: 'subagent_spawn', ...subagent, prompt: inputField(input, tool.prompt) } })
  } else if (tool?.kind === 'skill') {
    effects.push({ emit: { type: 'skill_invoked', skillName: inputField(input, tool.skill) } })
  } else if (mcp) {
    effects.push({ emit: { type: 'mcp_tool_call_start', toolCallId, ...mcp, input } })
  }
  return effects
}

/** Ends a call: shell and MCP events inside it, then its result, then what happened to files. */
export function toolDone(map: ToolMap, call: ToolCall, outcome: ToolOutcome): Effect[] {
  const { toolCallId, toolName, input, parentToolCallId } = call
  const tool = map[toolName]
  const mcp = mcpTool(toolName)
  const effects: Effect[] = []
  if (tool?.kind === 'shell') {
    const stdout = outcome.stdout ?? ''
    if (stdout) effects.push({ emit: { type: 'shell_stdout_delta', delta: stdout, toolCallId } })
    if (outcome.stderr) effects.push({ emit: { type: 'shell_stderr_delta', delta: outcome.stderr, toolCallId } })
    const exitCode = outcome.exitCode ?? (outcome.error === undefined ? 0 : -1)
    effects.push({ emit: { type: 'shell_exit', exitCode, toolCallId } })
  }
  if (tool?.kind === 'subagent' && !call.inBackground)
    effects.push(subagentEnd(call, inputField(input, tool.agent), outcome))
  if (outcome.error !== undefined) {
    if (mcp) effects.push({ emit: { type: 'mcp_tool_error', toolCallId, ...mcp, error: outcome.error } })
    effects.push({ emit: { type: 'tool_error', toolCallId, toolName, error: outcome.error, parentToolCallId } })
    return effects
  }
  if (mcp) effects.push({ emit: { type: 'mcp_tool_result', toolCallId, ...mcp, output: outcome.output } })
  effects.push({ emit: { type: 'tool_result', toolCallId, toolName, output: outcome.output, parentToolCallId } })
  if (tool) effects.push(...fileEffects(tool, input, outcome))
  return effects
}

function subagentEnd({ toolCallId: subagentId }: ToolCall, agentName: string, { output, error }: ToolOutcome): Effect {
  return error === undefined
    ? { emit: { type: 'subagent_result', subagentId, agentName, summary: textOf(output) } }
    : { emit: { type: 'subagent_error', subagentId, agentName, error } }
}

/** The sub-agent that a call runs; null when it runs none. */
export function subagentOf(map: ToolMap, call: ToolCall): { subagentId: string; agentName: string } | null {
  const tool = map[call.toolName]
  if (tool?.kind !== 'subagent') return null
  return { subagentId: call.toolCallId, agentName: inputField(call.input, tool.agent) }
}

/** Exit code in a record, where the agent spells it in one of the usual ways. */
export function exitCodeOf(value: unknown): number | undefined {
  if (!isRecord(value)) return undefined
  return asNumber(value.exitCode) ?? asNumber(value.exit_code) ?? asNumber(value.code)
}
