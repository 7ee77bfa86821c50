import type { Subject } from '../kit/subject.ts'

export const subject: Subject = {
  protocol: 'anthropic',
  model: 'claude-opus-4-8',
  alternativeModel: 'gpt-5.5',
  shellTool: 'bash',
  highEffort: '"budget_tokens":16384',
  env: {},
}
