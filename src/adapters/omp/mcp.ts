import type { McpServerConfig } from '../../contract/run-options.ts'
import type { RunFile } from '../../contract/spawn.ts'
import { mcpPart } from '../families/pi/tool-name.ts'
import { mcpServersByName } from '../kit/mcp-file.ts'

/** The name of the run's own plugin, which is in the names of its tools. */
export const MCP_PLUGIN = 'amux'

/** The directory of the run's files as a plugin, whose servers are those in its `.mcp.json`: there is no flag for one. */
export function mcpFlags(mcpServers: readonly McpServerConfig[] = [], files: RunFile[]): string[] {
  if (mcpServers.length === 0) return []
  const servers = mcpServersByName(mcpServers)
  files.push({ name: 'plugin.json', content: JSON.stringify({ name: MCP_PLUGIN }) })
  files.push({ name: '.mcp.json', content: JSON.stringify({ mcpServers: servers }) })
  return ['--plugin-dir', '{file:.mcp.json}/..']
}

/** The CLI connects to servers in the background and would send the first prompt without their tools. */
export function mcpStatements(mcpServers: readonly McpServerConfig[] = []): string[] {
  if (mcpServers.length === 0) return []
  const prefixes = mcpServers.map(({ name }) => `mcp__${MCP_PLUGIN}_${mcpPart(name)}_`)
  return [
    `
  let tries = 100
  const isThere = (prefix) => pi.getActiveTools().some((name) => name.startsWith(prefix))
  pi.on('before_agent_start', async () => {
    while (tries-- > 0 && !${JSON.stringify(prefixes)}.every(isThere)) await new Promise((done) => setTimeout(done, 100))
    tries = 0
  })`,
  ]
}
