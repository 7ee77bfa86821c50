import type { RunOptions } from '../../contract/run-options.ts'
import { asRecord, asString, type JsonRecord } from '../../core/json.ts'
import type { ToolMap, ToolOutcome } from '../kit/tools.ts'

export const TOOLS: ToolMap = {
  run_shell_command: { kind: 'shell', command: 'command' },
  read_file: { kind: 'read', path: 'file_path' },
  write_file: { kind: 'write', path: 'file_path', content: 'content' },
  replace: { kind: 'patch', path: 'file_path' },
  read_many_files: { kind: 'read', path: 'include' },
  activate_skill: { kind: 'skill', skill: 'name' },
  invoke_agent: { kind: 'subagent', agent: 'agent_name', prompt: 'prompt' },
}

const MCP_NAME = /^mcp_([^_]+)_(.+)$/

/** The CLI's `mcp_server_tool`, where a name may have underscores of its own, in the spelling that all agents share. */
export function toolNameOf(name: string, { mcpServers = [] }: RunOptions): string {
  const server = mcpServers.find((one) => name.startsWith(`mcp_${one.name}_`))?.name
  if (server !== undefined) return `mcp__${server}__${name.slice(`mcp_${server}_`.length)}`
  return name.replace(MCP_NAME, 'mcp__$1__$2')
}

/** A command that fails is a success, too, and its exit code is not reported. */
export function toolOutcome(record: JsonRecord): ToolOutcome {
  const output = asString(record.output) ?? ''
  if (record.status !== 'error') return { output, stdout: output }
  return { output, error: asString(asRecord(record.error)?.message) ?? (output || 'The call failed.') }
}

const REFUSED = /denied by policy|requires user confirmation|^Access denied: plan path/

/** What may not run without an approval is not even offered to the model in a run where nobody can be asked. */
export const GUARDED: readonly string[] = ['run_shell_command', 'write_file', 'replace', 'web_fetch']

/** The CLI's own policy has refused the call. */
export function isRefused(toolName: string, record: JsonRecord): boolean {
  const error = asRecord(record.error) ?? {}
  if (error.type === 'policy_violation' || REFUSED.test(asString(error.message) ?? '')) return true
  return error.type === 'tool_not_registered' && GUARDED.includes(toolName)
}

const RUN_PLACE = '[current working directory '
/** Nothing after the bracket may be a bracket: a name that holds one could pass for another directory. */
const OTHER_PLACE = /^\[in ([^\]\n]+)\](?: \([^\]\n]*\))?(?: \[background\])?$/

/** In ACP (0.61) the title of a shell call is the whole command, and its text says where that runs. */
export function titledInput(call: { toolName: string; title: string; text: string }): JsonRecord | undefined {
  const { toolName, title, text } = call
  if (toolName !== 'run_shell_command') return undefined
  if (text.startsWith(RUN_PLACE)) return { command: title }
  const [, dir_path] = OTHER_PLACE.exec(text) ?? []
  return dir_path === undefined ? undefined : { command: title, dir_path }
}
