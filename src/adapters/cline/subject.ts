import type { Subject } from '../kit/subject.ts'

export const subject: Subject = {
  unreportedByHooks: ['title'],
  protocol: 'openai-chat',
  model: 'scripted-model',
  alternativeModel: 'mock-model',
  env: {},
  // An endpoint of one's own needs no key, so this is the provider of a user without one.
  keyless: { endpoint: undefined },
  files: {
    '.cline/data/settings/providers.json': {
      version: 1,
      lastUsedProvider: 'anthropic',
      modes: {},
      providers: {
        anthropic: {
          settings: { provider: 'anthropic', model: 'claude-sonnet-5' },
          updatedAt: '2026-01-01T00:00:00.000Z',
          tokenSource: 'manual',
        },
      },
    },
  },
  timeoutMs: 180_000,
}
