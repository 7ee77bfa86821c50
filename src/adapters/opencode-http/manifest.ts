import {
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
  agent: 'opencode-http',
  displayName: 'OpenCode (HTTP)',
  ...OPENCODE,
  verification: 'verified',
  sessionStore: '~/.local/share/opencode/opencode.db',
  homepage: 'https://opencode.ai/docs/server/',
  capabilities: {
    ...OPENCODE_CAPABILITIES,
    supportsQuestions: true,
    supportsStructuredOutput: true,
    supportsSteer: true,
    unreported: ['side requests'],
  },
  models: MODELS,
  configSchema: OPENCODE_CONFIG,
  // A tool process cannot tell which form of OpenCode it runs below; it counts as `opencode`.
  hostEnvSignals: [],
  auth: { ...OPENCODE_AUTH, documentationUrls: ['https://opencode.ai/docs/server/'] },
  quirks: [
    ...COMMON_QUIRKS,
    TITLE_QUIRK,
    'Every run starts a server of its own, on 127.0.0.1, with a random password, and ends it. Unknown paths answer 200 with a page, so health is asked of /global/health.',
    'The richest form: deltas, retries, questions, structured output, and the tokens of sub-agents.',
    'A denied call ends the turn, unless the denial has a reason, which the model gets to see.',
    'A message sent while a turn runs is taken up before the next request to the model.',
    'An answer that does not fit its schema is left out of the next request: the model is asked again without seeing it.',
  ],
})
