import type { Subject } from '../kit/subject.ts'

export const subject: Subject = {
  unreportedByHooks: ['summary'],
  protocol: 'openai-chat',
  // With a model of OpenAI or Anthropic on this protocol the CLI adds a warning to the conversation.
  model: 'glm-5.3',
  alternativeModel: 'kimi-k3',
  shellTool: 'Execute',
  env: {},
}
