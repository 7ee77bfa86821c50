import { installedPlugin, SMALL_CATALOGUE } from '../families/opencode/subject.ts'
import { KEYLESS, type Subject } from '../kit/subject.ts'

export const subject: Subject = {
  usageAfterTools: true,
  protocol: 'openai-chat',
  model: 'scripted-model',
  alternativeModel: 'gpt-6-luna',
  shellTool: 'bash',
  keyless: KEYLESS,
  env: {
    KILO_DISABLE_MODELS_FETCH: '1',
    KILO_DISABLE_PRESENCE: '1',
    KILO_DISABLE_SESSION_INGEST: '1',
    KILO_TELEMETRY_LEVEL: 'off',
  },
  files: { ...installedPlugin('.config/kilo', '@kilocode/plugin'), '.cache/kilo/models.json': SMALL_CATALOGUE },
  denyKeys: ['\x1b', '\r'],
  // On a busy machine the first one takes so long that its screen asks whether to go without.
  screenFiles: { '.config/kilo/kilo.jsonc': { snapshot: false } },
  timeoutMs: 150_000,
}
