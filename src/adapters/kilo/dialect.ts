import type { OpencodeDialect } from '../families/opencode/dialect.ts'
import { MODEL_NAMES } from '../families/opencode/manifest.ts'

export const dialect: OpencodeDialect = {
  agent: 'kilo',
  displayName: 'Kilo',
  command: 'kilo',
  envPrefix: 'KILO',
  mainAgent: 'code',
  freeProviders: ['kilo', 'opencode'],
  env: { KILO_DISABLE_AUTOUPDATE: '1', KILO_NO_DAEMON: '1' },
  endpointEnv: {
    KILO_DISABLE_MODELS_FETCH: '1',
    KILO_DISABLE_LSP_DOWNLOAD: '1',
    KILO_DISABLE_SHARE: '1',
    KILO_DISABLE_PRESENCE: '1',
    KILO_DISABLE_SESSION_INGEST: '1',
    KILO_DISABLE_CODEBASE_INDEXING: '1',
    KILO_TELEMETRY_LEVEL: 'off',
  },
  endpointModels: MODEL_NAMES,
  guidance: 'Run `kilo auth login`, or set the key of the provider, and name a model as provider/model.',
}
