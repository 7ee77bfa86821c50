import type { Subject } from '../kit/subject.ts'

export const subject: Subject = {
  unreportedByHooks: ['summary'],
  protocol: 'openai-chat',
  model: 'kimi-k2-scripted',
  alternativeModel: 'kimi-alternative',
  env: { KIMI_DISABLE_TELEMETRY: '1' },
  // Another model on the endpoint of the run, so that there is one to change to.
  files: {
    '.kimi-code/config.toml': [
      '[models.kimi-alternative]',
      'provider = "__kimi_env__"',
      'model = "kimi-alternative"',
      'max_context_size = 200000',
      '',
    ].join('\n'),
  },
}
