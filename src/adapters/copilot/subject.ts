import type { Subject } from '../kit/subject.ts'

export const subject: Subject = {
  unreportedByHooks: ['summary'],
  protocol: 'openai-chat',
  model: 'claude-sonnet-4.6',
  alternativeModel: 'claude-opus-4.6',
  shellTool: 'bash',
  keyless: { endpoint: undefined, model: undefined },
  // Else it would unpack its 200 MB again in each scratch home.
  env: {},
  cacheEnv: { COPILOT_CACHE_HOME: 'copilot' },
}
