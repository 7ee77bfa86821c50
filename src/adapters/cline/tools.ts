import { asRecord, asRecords, asString, type JsonRecord, textOf } from '../../core/json.ts'
import type { ToolMap, ToolOutcome } from '../../core/tools.ts'

export const TOOLS: ToolMap = {
  run_commands: { kind: 'shell', command: 'commands' },
  read_files: { kind: 'read', path: 'files' },
  editor: { kind: 'patch', path: 'path' },
  apply_patch: { kind: 'patch_text', patch: 'input' },
  skills: { kind: 'skill', skill: 'skill' },
  spawn_agent: { kind: 'subagent', agent: 'agent', prompt: 'task' },
}

const MCP_TOOL = /^([^_].*?)__(.+)$/

/** `server__tool`, in the spelling that all adapters share. */
export function toolNameOf(native: string): string {
  const [, server, tool] = MCP_TOOL.exec(native) ?? []
  return server === undefined ? native : `mcp__${server}__${tool}`
}

const CREATED = /^File created/

/** Several commands may run in one call, each with its own result. */
export function toolOutcome(event: JsonRecord): ToolOutcome {
  const { output } = event
  const results = asRecords(output)
  const stdout = results.length > 0 ? results.map(({ result }) => textOf(result)).join('') : undefined
  const failed = results.find(({ success }) => success === false)
  const error = asString(asRecord(output)?.error) ?? asString(failed?.error) ?? asString(event.error)
  return {
    output: stdout ?? output,
    stdout,
    error: error ?? (failed && textOf(failed.result)),
    created: CREATED.test(textOf(asRecord(output)?.result)),
  }
}
