import { KEYLESS, type Subject } from '../../kit/subject.ts'

/** What the CLI would install into each new home otherwise, from npm and in the background. */
export function installedPlugin(directory: string, name: string): Record<string, object | string> {
  return {
    [`${directory}/package-lock.json`]: { packages: { '': { dependencies: { [name]: '*' } } } },
    [`${directory}/node_modules/.keep`]: '',
  }
}

/**
 * The catalogue of models that the CLI keeps once it has fetched it, with one entry: to read the one that it brings along,
 * of all models there are, is almost half of its start.
 */
export const SMALL_CATALOGUE = {
  anthropic: {
    id: 'anthropic',
    env: ['ANTHROPIC_API_KEY'],
    npm: '@ai-sdk/anthropic',
    name: 'Anthropic',
    models: {
      'claude-sonnet-5': {
        id: 'claude-sonnet-5',
        name: 'Claude Sonnet 5',
        attachment: true,
        reasoning: true,
        temperature: true,
        tool_call: true,
        release_date: '2026-01-01',
        last_updated: '2026-01-01',
        open_weights: false,
        cost: { input: 3, output: 15 },
        limit: { context: 200_000, output: 64_000 },
      },
    },
  },
}

/** OpenCode itself, over ACP and over HTTP. */
export const opencodeSubject: Subject = {
  usageAfterTools: true,
  protocol: 'openai-chat',
  model: 'scripted-model',
  alternativeModel: 'gpt-6-luna',
  shellTool: 'bash',
  keyless: KEYLESS,
  env: { OPENCODE_DISABLE_MODELS_FETCH: '1' },
  files: {
    ...installedPlugin('.config/opencode', '@opencode-ai/plugin'),
    '.cache/opencode/models.json': SMALL_CATALOGUE,
  },
  timeoutMs: 150_000,
}
