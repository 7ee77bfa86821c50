import { asRecord, asRecords, asString, type JsonRecord, textOf } from '../../core/json.ts'
import type { ToolCall, ToolMap, ToolOutcome } from '../kit/tools.ts'

export const TOOLS: ToolMap = {
  run_commands: { kind: 'shell', command: 'commands', separator: '\n' },
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
const EXIT_CODE = /^Command exited with code (\d+)/

/** Several commands, or files, may be in one call, each with its own result. */
export function toolOutcome(event: JsonRecord): ToolOutcome {
  const { output } = event
  const results = asRecords(output)
  const single = asRecord(output) ?? {}
  const stdout = results.length > 0 ? results.map(({ result }) => textOf(result)).join('') : undefined
  const failed = results.find(({ success }) => success === false)
  const words = asString(single.text) ?? (Array.isArray(single.content) ? textOf(single.content) : undefined)
  const reported = asString(single.error) ?? asString(failed?.error) ?? asString(event.error)
  const error = reported ?? (failed && textOf(failed.result)) ?? (single.isError === true ? (words ?? '') : undefined)
  const exitCode = EXIT_CODE.exec(error ?? '')?.[1]
  return {
    output: stdout ?? words ?? output,
    stdout,
    error,
    exitCode: exitCode === undefined ? undefined : Number(exitCode),
    created: CREATED.test(textOf(single.result)),
  }
}

/** Of several files those that could be read, where there are some: then the call went well for them. */
export function filesRead(call: ToolCall, event: JsonRecord): ToolCall | null {
  const results = asRecords(event.output)
  const files = asRecord(call.input)?.files
  if (call.toolName !== 'read_files' || !Array.isArray(files) || files.length !== results.length) return null
  const read = files.filter((_, place) => results[place]?.success === true)
  return read.length > 0 && read.length < files.length ? { ...call, input: { files: read } } : null
}
