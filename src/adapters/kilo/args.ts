import type { EndpointPlan } from '../../contract/adapter.ts'
import type { EndpointOverride, RunOptions } from '../../contract/run-options.ts'
import type { SpawnArgs } from '../../contract/spawn.ts'
import { opencodeEndpoint, runSpawnArgs } from '../../core/opencode/args.ts'
import { dialect } from './dialect.ts'

export function endpointOverride(endpoint: EndpointOverride): EndpointPlan {
  return opencodeEndpoint(dialect, endpoint)
}

export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  return runSpawnArgs(dialect, options)
}
