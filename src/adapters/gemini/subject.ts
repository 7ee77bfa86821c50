import type { Subject } from '../kit/subject.ts'

const GEMINI_SETTINGS = {
  general: { enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
  security: { auth: { selectedType: 'gemini-api-key' } },
}

export const subject: Subject = {
  resumesOnCopy: true,
  forgetsRefusedCalls: true,
  highEffort: '"thinkingBudget":24576',
  protocol: 'gemini',
  model: 'gemini-2.5-flash',
  alternativeModel: 'gemini-3.8-flash',
  shellTool: 'run_shell_command',
  env: {},
  // It starts itself again with more memory: a third of all it does in a short run.
  soonerEnv: { GEMINI_CLI_NO_RELAUNCH: 'true' },
  agedSession: (name) => name.replace(/^session-\d{4}-\d\d-\d\dT/, 'session-2026-01-01T'),
  ownEndpoint: ({ baseUrl, apiKey }) => ({ GOOGLE_GEMINI_BASE_URL: baseUrl, GEMINI_API_KEY: apiKey }),
  files: { '.gemini/settings.json': GEMINI_SETTINGS },
}
