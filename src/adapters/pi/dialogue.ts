import type { Dialogue } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { EXIT_WORDS, type PiDialect } from '../families/pi/dialect.ts'
import { piDialogue } from '../families/pi/dialogue.ts'
import { TOOLS } from './tools.ts'

const dialect: PiDialect = {
  agent: 'pi',
  displayName: 'Pi',
  guidance: 'Set the API key of the provider, for example ANTHROPIC_API_KEY, or run `pi` and use /login.',
  tools: TOOLS,
  silent: new Set([
    'turn_start',
    'turn_end',
    'queue_update',
    'entry_appended',
    'session_info_changed',
    'thinking_level_changed',
    'summarization_retry_scheduled',
    'summarization_retry_attempt_start',
    'summarization_retry_finished',
    'bash_execution_update',
  ]),
  // The words of our own gate, see args.ts.
  deniedText: /^agent-mux: /,
  exitWords: EXIT_WORDS,
}

/** Speaks with Pi, of 1.x and of 0.73. */
export function createDialogue(options: RunOptions): Dialogue {
  return piDialogue(dialect, options)
}
