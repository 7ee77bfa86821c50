import { defineManifest } from '../../core/define-manifest.ts'
import {
  COMMON_QUIRKS,
  MODELS,
  OPENCODE,
  OPENCODE_AUTH,
  OPENCODE_CAPABILITIES,
  OPENCODE_CONFIG,
} from '../../core/opencode/manifest.ts'

export const manifest = defineManifest({
  agent: 'opencode',
  displayName: 'OpenCode',
  ...OPENCODE,
  verification: 'verified',
  homepage: 'https://opencode.ai/docs/',
  capabilities: { ...OPENCODE_CAPABILITIES, supportsTerminal: true },
  models: MODELS,
  configSchema: OPENCODE_CONFIG,
  hostEnvSignals: ['OPENCODE', 'OPENCODE_PID'],
  auth: { ...OPENCODE_AUTH, documentationUrls: ['https://opencode.ai/docs/providers/'] },
  quirks: [
    ...COMMON_QUIRKS,
    'A live run tells the tokens of the last request to the model in each turn only, though the costs of all. One-shot runs and opencode-http count every request.',
    'A one-shot run tells text and thinking as whole parts; the deltas come in live runs.',
    'What sub-agents use is in their own sessions: neither form tells their tokens and costs.',
    'A denied call ends the turn of a one-shot run. The CLI exits 0 then; the result says permission_blocked.',
    'The title of a session is asked of a model in a second, small request, which is not in the usage.',
    'A `.opencode` folder in the project makes the CLI install a package from npm into it.',
  ],
})
