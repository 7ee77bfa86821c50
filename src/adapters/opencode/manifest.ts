import {
  ACP_QUIRKS,
  COMMON_QUIRKS,
  MODELS,
  OPENCODE,
  OPENCODE_AUTH,
  OPENCODE_CAPABILITIES,
  OPENCODE_CONFIG,
  TITLE_QUIRK,
} from '../families/opencode/manifest.ts'
import { defineManifest } from '../kit/define-manifest.ts'

export const manifest = defineManifest({
  agent: 'opencode',
  displayName: 'OpenCode',
  ...OPENCODE,
  verification: 'verified',
  sessionStore: '~/.local/share/opencode/opencode.db',
  homepage: 'https://opencode.ai/docs/',
  capabilities: {
    ...OPENCODE_CAPABILITIES,
    supportsTerminal: true,
    usageAfterTurn: ['live'],
    unreported: ['side requests'],
  },
  models: MODELS,
  configSchema: OPENCODE_CONFIG,
  hostEnvSignals: ['OPENCODE', 'OPENCODE_PID'],
  auth: { ...OPENCODE_AUTH, documentationUrls: ['https://opencode.ai/docs/providers/'] },
  quirks: [
    ...COMMON_QUIRKS,
    TITLE_QUIRK,
    ...ACP_QUIRKS,
    'A denied call ends the turn of a one-shot run. The CLI exits 0 then; the result says permission_blocked.',
    'A `.opencode` folder in the project makes the CLI install a package from npm into it.',
  ],
})
