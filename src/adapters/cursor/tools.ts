import { asRecord, asString, isRecord, type JsonRecord, parseRecord, textOf } from '../../core/json.ts'
import { exitCodeOf, type ToolMap, type ToolOutcome } from '../kit/tools.ts'

/** A call is named by the key that holds it: `readToolCall`. */
export const TOOLS: ToolMap = {
  shell: { kind: 'shell', command: 'command' },
  read: { kind: 'read', path: 'path' },
  write: { kind: 'write', path: 'path', content: 'fileText' },
  edit: { kind: 'patch', path: 'path' },
  delete: { kind: 'delete', path: 'path' },
}

/** Name, input and result of a call. Those of MCP servers, and others, have their names in their arguments. */
export function readCall(native: JsonRecord): { toolName: string; input: unknown; result: JsonRecord } {
  for (const [key, value] of Object.entries(native)) {
    if (!isRecord(value)) continue
    const args = asRecord(value.args) ?? {}
    const result = asRecord(value.result) ?? {}
    if (key === 'function') {
      return { toolName: asString(value.name) ?? key, input: parseRecord(textOf(value.arguments)) ?? {}, result }
    }
    if (key === 'mcpToolCall') {
      const toolName = `mcp__${textOf(args.providerIdentifier)}__${asString(args.toolName) ?? textOf(args.name)}`
      return { toolName, input: args.args ?? args, result }
    }
    if (key.endsWith('ToolCall')) return { toolName: key.slice(0, -'ToolCall'.length), input: args, result }
  }
  return { toolName: 'tool', input: {}, result: {} }
}

export function toolOutcome(result: JsonRecord): ToolOutcome {
  const success = asRecord(result.success)
  if (success === undefined) {
    const failed = asRecord(result.rejected) ?? asRecord(result.error) ?? asRecord(result.failure) ?? {}
    const error = asString(failed.reason) ?? asString(failed.errorMessage) ?? asString(failed.stderr)
    return { output: result, error: error || 'The call failed.', exitCode: exitCodeOf(failed) }
  }
  const output = success.stdout ?? success.content ?? success
  const diff = asString(success.diffString)
  return {
    output,
    stdout: asString(success.stdout),
    stderr: asString(success.stderr),
    exitCode: exitCodeOf(success),
    diff,
  }
}
