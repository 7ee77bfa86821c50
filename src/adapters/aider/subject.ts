import { KEYLESS, type Subject } from '../kit/subject.ts'

export const subject: Subject = {
  protocol: 'openai-chat',
  model: 'scripted-model',
  alternativeModel: 'mock-model',
  // As for the models that it knows: with commands that it suggests.
  env: { AIDER_EDIT_FORMAT: 'diff' },
  // The list of models that it would download at each start in a new home.
  files: { '.aider/caches/model_prices_and_context_window.json': { none: {} } },
  keyless: KEYLESS,
  // Before it gives up on a server: a minute between its tries, and those of its client library.
  timeoutMs: 300_000,
}
