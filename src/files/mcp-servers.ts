import { isDeepStrictEqual } from 'node:util'
import type { McpServerConfig } from '../contract/run-options.ts'
import { asString, isRecord, type JsonRecord } from '../core/json.ts'
import type { KeyPath } from './values.ts'

/** `value` undefined: the key goes. */
export interface ConfigEdit {
  keyPath: KeyPath
  value: unknown
}

// What a normalised server is made of; every other key of an entry is the agent's own and left alone.
const MAPPED_KEYS = ['type', 'command', 'args', 'env', 'url', 'httpUrl', 'headers', 'http_headers']

/** The agent's map of servers as a list, and what of that map the list does not say. */
export function readMcpServers(native: unknown): { servers: McpServerConfig[]; rest: JsonRecord } {
  const servers: McpServerConfig[] = []
  const rest: JsonRecord = {}
  for (const [name, entry] of Object.entries(isRecord(native) ? native : {})) {
    const server = readServer(name, entry)
    if (server === null) {
      rest[name] = entry
      continue
    }
    servers.push(server)
    const own = Object.entries(isRecord(entry) ? entry : {}).filter(([key]) => !MAPPED_KEYS.includes(key))
    if (own.length > 0) rest[name] = Object.fromEntries(own)
  }
  return { servers, rest }
}

function readServer(name: string, entry: unknown): McpServerConfig | null {
  if (!isRecord(entry)) return null
  const command = asString(entry.command)
  if (command !== undefined) {
    const { args, env } = entry
    if ((args !== undefined && !isStrings(args)) || (env !== undefined && !isStringMap(env))) return null
    return { name, transport: 'stdio', command, ...(args && { args }), ...(env && { env }) }
  }
  const url = asString(entry.httpUrl) ?? asString(entry.url)
  const headers = entry.headers ?? entry.http_headers
  if (url === undefined || (headers !== undefined && !isStringMap(headers))) return null
  return { name, transport: entry.type === 'sse' ? 'sse' : 'streamable-http', url, ...(headers && { headers }) }
}

/**
 * The changes that make the agent's map say `servers`: a server that is not listed goes, one that is listed keeps the
 * agent's own keys, one that we could not read is left alone.
 */
export function mcpServerEdits(keyPath: KeyPath, native: unknown, servers: readonly McpServerConfig[]): ConfigEdit[] {
  const map = isRecord(native) ? native : {}
  const listed = new Set(servers.map((server) => server.name))
  const removed = readMcpServers(map).servers.filter((server) => !listed.has(server.name))
  return [
    ...removed.map((server) => ({ keyPath: [...keyPath, server.name], value: undefined })),
    ...servers.flatMap((server) => serverEdits([...keyPath, server.name], server, map[server.name])),
  ]
}

function serverEdits(keyPath: KeyPath, server: McpServerConfig, existing: unknown): ConfigEdit[] {
  const entry = isRecord(existing) ? existing : {}
  const wanted = nativeServer(server, keyPath.at(-2), entry)
  if (!isRecord(existing)) return [{ keyPath, value: wanted }]
  if (isDeepStrictEqual(readServer(server.name, existing), { transport: 'stdio', ...server })) return []
  // A key of the old form, a command beside a new url, would contradict the new one.
  return MAPPED_KEYS.filter((key) => !isDeepStrictEqual(entry[key], wanted[key])).map((key) => ({
    keyPath: [...keyPath, key],
    value: wanted[key],
  }))
}

function nativeServer(server: McpServerConfig, mapName: string | undefined, entry: JsonRecord): JsonRecord {
  if (!('url' in server)) {
    const { command, args, env } = server
    return { type: 'type' in entry ? localType(entry.type) : undefined, command, args, env }
  }
  const { transport, url, headers } = server
  // Codex distinguishes the transports by their keys, names the headers differently and knows no `type`.
  if (mapName === 'mcp_servers') return { url, http_headers: headers }
  // Gemini's name for the newer transport.
  if ('httpUrl' in entry && transport === 'streamable-http') return { httpUrl: url, headers }
  return { type: remoteType(transport, entry.type), url, headers }
}

// Some agents write `streamable-http` or `remote`; what already means this transport stays.
function remoteType(transport: 'sse' | 'streamable-http', type: unknown): string {
  if (transport === 'sse') return 'sse'
  return typeof type === 'string' && !['sse', 'stdio', 'local'].includes(type) ? type : 'http'
}

// Copilot writes `local` for what others call `stdio`.
function localType(type: unknown): string {
  return type === 'local' ? 'local' : 'stdio'
}

export function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

export function isStringMap(value: unknown): value is Record<string, string> {
  return isRecord(value) && Object.values(value).every((item) => typeof item === 'string')
}
