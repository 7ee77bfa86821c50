import { KEYLESS, type Subject } from '../kit/subject.ts'

export const subject: Subject = {
  protocol: 'openai-chat',
  model: 'scripted-model',
  alternativeModel: 'mock-model',
  shellTool: 'terminal',
  env: {},
  denyKeys: ['3'],
  keyless: KEYLESS,
}
