import type { EndpointPlan } from '../../contract/adapter.ts'
import type { EndpointOverride, RunOptions } from '../../contract/run-options.ts'
import type { SpawnArgs } from '../../contract/spawn.ts'
import { opencodeEndpoint, runSpawnArgs, spawnPlan } from '../../core/opencode/args.ts'
import { opencode } from '../../core/opencode/opencode.ts'

export function endpointOverride(endpoint: EndpointOverride): EndpointPlan {
  return opencodeEndpoint(opencode, endpoint)
}

/** MCP servers travel in the protocol of a live run. */
export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  if (options.nonInteractive) return runSpawnArgs(opencode, options)
  return spawnPlan(opencode, { ...options, mcpServers: undefined }, ['acp'])
}
