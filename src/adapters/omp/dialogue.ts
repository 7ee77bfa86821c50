import type { Dialogue } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { EXIT_WORDS, type PiDialect } from '../../core/pi-family/dialect.ts'
import { piDialogue } from '../../core/pi-family/dialogue.ts'

const dialect: PiDialect = {
  agent: 'omp',
  displayName: 'omp',
  loginGuidance: 'Set the API key of the provider, for example ANTHROPIC_API_KEY, or run `omp` and use /login.',
  tools: {
    bash: { kind: 'shell', command: 'command' },
    read: { kind: 'read', path: 'path' },
    write: { kind: 'write', path: 'path', content: 'content' },
    edit: { kind: 'patch', path: 'path' },
  },
  ignoredOptions: ['temperature', 'topP', 'topK', 'maxTokens', 'maxOutputTokens'],
  silent: new Set(['ready', 'turn_start', 'turn_end', 'advisor_cost_changed', 'available_commands_update']),
  outputTail: /\n\n\n?Wall time: [\d.]+ seconds$/,
  deniedText: /requires approval but no interactive UI|denied by user|blocked by user policy/,
  maxRetries: 3,
  exitWords: EXIT_WORDS,
}

/** Speaks with omp. */
export function createDialogue(options: RunOptions): Dialogue {
  return piDialogue(dialect, options)
}
