import type { EndpointPlan } from '../../contract/adapter.ts'
import type { EndpointOverride, RunOptions } from '../../contract/run-options.ts'
import type { SpawnArgs } from '../../contract/spawn.ts'
import { protocolOf, versionedUrl } from '../../core/endpoint.ts'
import { acpSpawnArgs } from '../families/acp/args.ts'
import { manifest } from './manifest.ts'
import { profile } from './profile.ts'

const KEY = 'AGENT_MUX_ENDPOINT_KEY'
const DEFAULT_MODEL = 'default'

/** Every field of its settings is also a variable, lists as JSON. The model of the endpoint is a part of it. */
export function endpointOverride(
  endpoint: EndpointOverride,
  { model = DEFAULT_MODEL }: Partial<RunOptions> = {},
): EndpointPlan {
  const protocol = protocolOf(manifest.capabilities, endpoint)
  const name = 'agent-mux'
  const api = {
    api_base: versionedUrl(endpoint, protocol),
    api_key_env_var: KEY,
    api_style: 'openai',
    backend: 'generic',
  }
  return {
    env: {
      VIBE_PROVIDERS: JSON.stringify([{ name, ...api }]),
      VIBE_MODELS: JSON.stringify([{ name: model, provider: name, alias: model }]),
      VIBE_ACTIVE_MODEL: model,
      [KEY]: endpoint.apiKey ?? '',
    },
    args: [],
    files: [],
  }
}

const acpArgs = acpSpawnArgs(manifest, profile)

export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  const args = acpArgs(options)
  if (!options.endpoint) return args
  return { ...args, env: { ...endpointOverride(options.endpoint, options).env, ...args.env } }
}
