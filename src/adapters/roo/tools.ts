import { asRecord, asString, type JsonRecord, parseRecord } from '../../core/json.ts'
import type { ToolMap } from '../kit/tools.ts'

/** Its calls as its screen names them, not as the model does. */
export const TOOLS: ToolMap = {
  execute_command: { kind: 'shell', command: 'command' },
  readFile: { kind: 'read', path: 'path' },
  newFileCreated: { kind: 'write', path: 'path', content: 'content' },
  editedExistingFile: { kind: 'patch', path: 'path' },
  appliedDiff: { kind: 'patch', path: 'path' },
  insertContent: { kind: 'patch', path: 'path' },
  searchAndReplace: { kind: 'patch', path: 'path' },
  newTask: { kind: 'subagent', agent: 'mode', prompt: 'content' },
  skill: { kind: 'skill', skill: 'skill' },
}

/** Name and input of a call. One of an MCP server comes as text that names server and tool. */
export function readCall({ name, input }: JsonRecord): { toolName: string; input: JsonRecord } {
  const given = asRecord(input) ?? {}
  const toolName = asString(name) ?? 'tool'
  if (toolName !== 'mcp_server') {
    const { tool: _name, ...rest } = given
    return { toolName, input: rest }
  }
  const asked = parseRecord(asString(given.raw) ?? '') ?? {}
  const text = asString(asked.arguments)
  const args = asRecord(asked.arguments) ?? (text === undefined ? undefined : parseRecord(text))
  const called = asString(asked.toolName) ?? asString(asked.uri) ?? toolName
  return { toolName: `mcp__${asString(asked.serverName) ?? ''}__${called}`, input: args ?? {} }
}
