import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { asNumber, asRecord, asRecords, asString, type JsonRecord } from '../../core/json.ts'
import type { ToolMap, ToolOutcome } from '../kit/tools.ts'

export const TOOLS: ToolMap = {
  bash: { kind: 'shell', command: 'command' },
  powershell: { kind: 'shell', command: 'command' },
  view: { kind: 'read', path: 'path' },
  create: { kind: 'write', path: 'path', content: 'file_text' },
  edit: { kind: 'patch', path: 'path' },
  task: { kind: 'subagent', agent: 'agent_type', prompt: 'prompt' },
}

/**
 * A tool of an MCP server in the spelling that all agents share; the CLI's own is `server-tool`, and the only one while the
 * model still writes the call.
 */
export function toolNameOf({ toolName, mcpServerName, mcpToolName }: JsonRecord, servers: ReadonlySet<string>): string {
  const native = asString(toolName) ?? ''
  const reported = asString(mcpServerName)
  if (reported !== undefined) return `mcp__${reported}__${asString(mcpToolName) ?? ''}`
  const server = [...servers].find((name) => native.startsWith(`${name}-`))
  return server === undefined ? native : `mcp__${server}__${native.slice(server.length + 1)}`
}

/** What the CLI itself adds to the output of a command. */
export const SHELL_NOISE = /\n?<shellId: \S+ completed with exit code -?\d+>\s*$/

export function toolOutcome(data: JsonRecord): ToolOutcome {
  const result = asRecord(data.result) ?? {}
  const content = (asString(result.content) ?? '').replace(SHELL_NOISE, '')
  const outcome: ToolOutcome = {
    output: content,
    stdout: content,
    exitCode: asNumber(asRecord(data.shellExecution)?.exitCode),
    created: asRecords(data.fileEdits).some(({ kind }) => kind === 'create'),
    diff: asString(result.detailedContent),
  }
  if (data.success !== false) return outcome
  return { ...outcome, error: asString(asRecord(data.error)?.message) ?? 'The call failed.', stdout: undefined }
}

/** The files of a patch, which has several. */
export function fileEffects(toolName: string, data: JsonRecord): Effect[] {
  if (TOOLS[toolName] !== undefined || data.success === false) return NO_EFFECTS
  const diff = asString(asRecord(data.result)?.detailedContent) ?? ''
  return asRecords(data.fileEdits).map(({ path: place, kind }): Effect => {
    const path = asString(place) ?? ''
    if (kind === 'create') return { emit: { type: 'file_create', path, byteCount: 0 } }
    return kind === 'delete' ? { emit: { type: 'file_delete', path } } : { emit: { type: 'file_patch', path, diff } }
  })
}

/** Nobody is there to ask, or a rule or hook has said no. */
export function isRefused(data: JsonRecord): boolean {
  const code = asRecord(data.error)?.code
  return code === 'denied' || code === 'rejected'
}
