import type { Subject } from '../kit/subject.ts'

const QWEN_SETTINGS = {
  general: { enableAutoUpdate: false },
  // Its agents on the side would be played the scenario, too.
  memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false, enableAutoSkill: false },
}

export const subject: Subject = {
  protocol: 'openai-chat',
  model: 'qwen3.7-max',
  alternativeModel: 'qwen3-coder-plus',
  env: {},
  soonerEnv: { QWEN_CODE_NO_RELAUNCH: 'true' },
  // Seven tries of a request, whatever the settings say.
  timeoutMs: 150_000,
  files: { '.qwen/settings.json': QWEN_SETTINGS },
  modelFiles: {
    '.qwen/settings.json': {
      security: { auth: { selectedType: 'openai' } },
      modelProviders: { openai: [{ id: 'qwen3-coder-plus', name: 'Coder', envKey: 'OPENAI_API_KEY' }] },
    },
  },
}
