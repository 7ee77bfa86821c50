import type { McpServerConfig } from '../../contract/run-options.ts'
import type { RunFile } from '../../contract/spawn.ts'

/** A server as most agents want it described. */
export function nativeMcpServer(server: McpServerConfig): object {
  if ('command' in server) return { command: server.command, args: server.args ?? [], env: server.env }
  return { type: server.transport === 'sse' ? 'sse' : 'http', url: server.url, headers: server.headers }
}

/** Each by its name, in the agent's own words. */
export function mcpServersByName(
  servers: readonly McpServerConfig[],
  native: (server: McpServerConfig) => object = nativeMcpServer,
): Record<string, object> {
  return Object.fromEntries(servers.map((server) => [server.name, native(server)]))
}

/**
 * Adds `mcp.json`, as most agents read it, and says how to refer to it; null where there are no servers. In a file,
 * because headers and variables hold secrets.
 */
export function addMcpFile(
  files: RunFile[],
  servers: readonly McpServerConfig[] | undefined,
  native: (server: McpServerConfig) => object = nativeMcpServer,
): string | null {
  if (!servers?.length) return null
  files.push({ name: 'mcp.json', content: JSON.stringify({ mcpServers: mcpServersByName(servers, native) }) })
  return '{file:mcp.json}'
}
