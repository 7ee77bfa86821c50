import type { Subject } from '../kit/subject.ts'

/** Without `async` a sub-agent answers in the call that started it; else its answer would begin the script again. */
const OMP_SETTINGS = { async: { enabled: false }, startup: { checkUpdate: false } }

export const subject: Subject = {
  protocol: 'openai-chat',
  model: 'claude-opus-4-8',
  alternativeModel: 'gpt-5.5',
  shellTool: 'bash',
  env: {},
  // Six requests for each try of its own.
  timeoutMs: 150_000,
  files: { '.omp/agent/config.yml': OMP_SETTINGS },
}
