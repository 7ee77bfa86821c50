import { CapabilityError } from '../contract/errors.ts'
import type { AgentName } from '../contract/names.ts'
import type { RunOptions } from '../contract/run-options.ts'

/**
 * Options that one form of an agent cannot honour, each with what to do instead; empty when there is nothing. What no
 * form can is said by the capabilities in its manifest, and refused by them.
 */
export type UnsupportedOptions = Partial<Record<keyof RunOptions, string>>

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined
}

export function refuseOptions(agent: AgentName, options: RunOptions, unsupported: UnsupportedOptions): void {
  const given: Readonly<Record<string, unknown>> = { ...options }
  for (const [name, hint] of Object.entries(unsupported)) {
    if (isGiven(given[name])) throw new CapabilityError(agent, name, { hint: hint || undefined })
  }
}

/** For agents that only know the newer transport over HTTP. */
export function refuseSse(agent: AgentName, { mcpServers = [] }: RunOptions): void {
  const server = mcpServers.find(({ transport }) => transport === 'sse')
  if (!server) return
  throw new CapabilityError(agent, `the sse transport of MCP server ${server.name}`, { hint: 'Use streamable-http.' })
}
