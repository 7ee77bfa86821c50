import type { OpencodeDialect } from './dialect.ts'
import { MODEL_NAMES } from './manifest.ts'

/** The agent itself, for the adapters of its different forms. */
export const opencode: OpencodeDialect = {
  agent: 'opencode',
  displayName: 'OpenCode',
  command: 'opencode',
  envPrefix: 'OPENCODE',
  mainAgent: 'build',
  freeProviders: ['opencode'],
  env: { OPENCODE_DISABLE_AUTOUPDATE: '1' },
  endpointEnv: { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1', OPENCODE_DISABLE_SHARE: '1' },
  endpointModels: MODEL_NAMES,
  guidance: 'Run `opencode auth login`, or set the key of the provider, and name a model as provider/model.',
}
