import type { EndpointPlan } from '../../contract/adapter.ts'
import type { EndpointOverride, RunOptions } from '../../contract/run-options.ts'
import type { SpawnArgs } from '../../contract/spawn.ts'
import { opencodeEndpoint, runSpawnArgs, spawnPlan } from '../families/opencode/args.ts'
import { dialect } from './dialect.ts'

export function endpointOverride(endpoint: EndpointOverride): EndpointPlan {
  return opencodeEndpoint(dialect, endpoint)
}

/** MCP servers travel in the protocol of a live run. */
export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  if (options.nonInteractive) return runSpawnArgs(dialect, options)
  return spawnPlan(dialect, { ...options, mcpServers: undefined }, ['acp'])
}
