import type { Subject } from '../kit/subject.ts'

export const subject: Subject = {
  protocol: 'openai-chat',
  model: 'scripted-model',
  alternativeModel: 'mock-model',
  env: {},
  keyless: { endpoint: undefined, model: undefined },
  // 33 tries at a rate limit take it almost three minutes, without a word and without a switch.
  hidesRetries: true,
  timeoutMs: 300_000,
}
