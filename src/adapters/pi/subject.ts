import type { Subject } from '../kit/subject.ts'

export const subject: Subject = {
  protocol: 'anthropic',
  model: 'claude-opus-4-8',
  alternativeModel: 'gpt-5.5',
  shellTool: 'bash',
  highEffort: '"budget_tokens":16384',
  env: {},
  quickRetries: {
    // Before 1.0 the client of the provider tries again by itself as well, and tells nobody.
    files: { '.pi/agent/settings.json': { retry: { maxRetries: 1, baseDelayMs: 500, provider: { maxRetries: 0 } } } },
  },
}
