import type { Subject } from '../kit/subject.ts'

export const subject: Subject = {
  protocol: 'openai-responses',
  model: 'gpt-6-sol',
  usageAfterTools: true,
  alternativeModel: 'gpt-6.1-sol',
  env: {},
}
