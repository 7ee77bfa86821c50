import type { EndpointPlan } from '../../contract/adapter.ts'
import type { EndpointOverride, RunOptions } from '../../contract/run-options.ts'
import type { SpawnArgs } from '../../contract/spawn.ts'
import { libraryUrl, protocolOf } from '../../core/endpoint.ts'
import { acpSpawnArgs } from '../families/acp/args.ts'
import { LOG } from './log.ts'
import { manifest } from './manifest.ts'
import { profile } from './profile.ts'

// Its own kind of chat completions is the one that also takes a thinking effort.
const DEFAULT_MODEL = 'kimi-for-coding'

/** The model of the endpoint is a part of it: `KIMI_MODEL_NAME` turns the other variables on. */
export function endpointOverride(endpoint: EndpointOverride): EndpointPlan {
  const protocol = protocolOf(manifest.capabilities, endpoint)
  return {
    env: {
      KIMI_MODEL_NAME: DEFAULT_MODEL,
      KIMI_MODEL_BASE_URL: libraryUrl(endpoint, protocol),
      KIMI_MODEL_API_KEY: endpoint.apiKey,
      KIMI_MODEL_PROVIDER_TYPE: protocol === 'anthropic' ? 'anthropic' : 'kimi',
    },
    args: [],
    files: [],
  }
}

const acpArgs = acpSpawnArgs(manifest, profile)

/** Both the live and the one-shot form are ACP: its own one-way stream reports neither thinking nor why it failed. */
export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  const args = { ...acpArgs(options), logFile: LOG }
  if (!options.endpoint) return args
  const { env } = endpointOverride(options.endpoint)
  return { ...args, env: { ...env, ...(options.model ? { KIMI_MODEL_NAME: options.model } : {}), ...args.env } }
}
