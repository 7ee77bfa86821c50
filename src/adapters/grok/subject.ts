import type { Subject } from '../kit/subject.ts'

export const subject: Subject = {
  protocol: 'openai-chat',
  model: 'scripted-model',
  alternativeModel: 'mock-model',
  env: {},
  // Its screen lets a model decide what to ask for.
  screenFiles: { '.grok/config.toml': '[permission]\nask = ["Bash"]\n' },
}
