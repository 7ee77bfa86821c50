import type { DialogueState } from './state.ts'

/** The name of a tool, in the spelling that is shared for those of the run's own MCP servers. */
export function toolNameOf({ dialect, options }: DialogueState, native: string): string {
  const { mcpPrefix } = dialect
  if (mcpPrefix === undefined || !native.startsWith(mcpPrefix)) return native
  for (const { name } of options.mcpServers ?? []) {
    const prefix = `${mcpPrefix}${mcpPart(name)}_`
    if (native.startsWith(prefix)) return `mcp__${name}__${native.slice(prefix.length)}`
  }
  return native
}

/** As omp writes the name of a server into that of a tool. */
export function mcpPart(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
}
