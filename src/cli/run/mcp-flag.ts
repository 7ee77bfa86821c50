import type { McpServerConfig } from '../../contract/run-options.ts'
import { splitCommandLine } from '../../core/command-line.ts'
import { isRecord } from '../../core/json.ts'
import { usageError } from '../command.ts'
import { jsonObject } from './text-values.ts'

/** One `--mcp-server`: NAME=COMMAND ARGS, NAME=URL or a JSON object. */
export function mcpServer(spec: string): McpServerConfig {
  if (spec.trimStart().startsWith('{')) return mcpServerFromJson(spec)
  const at = spec.indexOf('=')
  const name = spec.slice(0, at)
  const target = spec.slice(at + 1).trim()
  const words = splitCommandLine(target)
  const [command, ...args] = words ?? []
  if (at < 1 || command === undefined) {
    throw usageError(`--mcp-server must be NAME=COMMAND ARGS, NAME=URL or a JSON object, not "${spec}"`)
  }
  return /^https?:\/\//.test(target) ? { name, transport: 'streamable-http', url: target } : { name, command, args }
}

function mcpServerFromJson(spec: string): McpServerConfig {
  const { name, transport, command, args, env, url, headers } = jsonObject('--mcp-server', spec)
  if (typeof name !== 'string') throw usageError('--mcp-server: the JSON object needs a "name"')
  if (typeof command === 'string') {
    return { name, command, args: Array.isArray(args) ? args.map(String) : undefined, env: stringMap(env) }
  }
  if (typeof url !== 'string') throw usageError('--mcp-server: the JSON object needs a "command" or a "url"')
  return { name, transport: transport === 'sse' ? 'sse' : 'streamable-http', url, headers: stringMap(headers) }
}

function stringMap(value: unknown): Record<string, string> | undefined {
  if (!isRecord(value)) return undefined
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, String(one)]))
}
