import type { RunOptions } from '../../../contract/run-options.ts'
import { asNumber, asRecord, asString, type JsonRecord } from '../../../core/json.ts'
import type { ToolMap, ToolOutcome } from '../../kit/tools.ts'

export const TOOLS: ToolMap = {
  bash: { kind: 'shell', command: 'command' },
  read: { kind: 'read', path: 'filePath' },
  write: { kind: 'write', path: 'filePath', content: 'content' },
  edit: { kind: 'patch', path: 'filePath' },
  multiedit: { kind: 'patch', path: 'filePath' },
  apply_patch: { kind: 'patch_text', patch: 'patchText' },
  patch: { kind: 'patch_text', patch: 'patchText' },
  skill: { kind: 'skill', skill: 'name' },
  task: { kind: 'subagent', agent: 'subagent_type', prompt: 'prompt' },
}

/** A tool of an MCP server is called `<server>_<tool>`; which of them are, only the run's own servers tell. */
export function toolName(native: string, { mcpServers = [] }: RunOptions): string {
  for (const { name } of mcpServers) {
    const prefix = `${name.replace(/[^a-zA-Z0-9_-]/g, '_')}_`
    if (native.startsWith(prefix)) return `mcp__${name}__${native.slice(prefix.length)}`
  }
  return native
}

const DENIED =
  /^(?:Error: )?(?:The user rejected permission|The user has specified a rule which prevents you|The user dismissed this question)/

/** The call did not run because of a permission, no matter who decided that. */
export function wasDenied(error: string): boolean {
  return DENIED.test(error)
}

/** What the agent adds to the output of a command: that it was aborted, or took too long. */
export const SHELL_NOISE = /\n*<shell_metadata>[\s\S]*?<\/shell_metadata>\s*$/
/** A command that was aborted counts as completed; only this says that it was not. */
export const ABORTED = 'User aborted the command'

function errorOf(state: JsonRecord): string | undefined {
  if (state.status === 'error') return asString(state.error) ?? 'The call failed.'
  const noise = SHELL_NOISE.exec(asString(state.output) ?? '')?.[0] ?? ''
  return noise.includes(ABORTED) ? ABORTED : undefined
}

/** The `state` of a tool part that has ended. */
export function toolOutcome(state: JsonRecord): ToolOutcome {
  const metadata = asRecord(state.metadata) ?? {}
  const exists = metadata.exists
  return {
    output: state.output ?? '',
    error: errorOf(state),
    stdout: (asString(metadata.output) ?? asString(state.output))?.replace(SHELL_NOISE, ''),
    exitCode: asNumber(metadata.exit),
    created: exists === undefined ? undefined : exists === false,
    diff: asString(metadata.diff),
  }
}
