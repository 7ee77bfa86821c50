import type { Dialogue, Effect } from '../../contract/dialogue.ts'
import type { StreamSource } from '../../contract/events.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { failTurn } from '../../core/failures.ts'
import type { ClaudeDialect } from '../families/claude-stream/dialect.ts'
import { claudeStreamDialogue } from '../families/claude-stream/dialogue.ts'
import { PLAIN_DIALECT } from '../families/claude-stream/plain-dialect.ts'
import { TOOLS, toolOutcome } from './tools.ts'

const GUIDANCE = 'Set AMP_API_KEY, or run `amp login`.'

/** "Claude Code-compatible", says its help; names of tools and fields as its documents tell them. */
const dialect: ClaudeDialect = {
  ...PLAIN_DIALECT,
  agent: 'amp',
  displayName: 'Amp',
  tools: TOOLS,
  guidance: GUIDANCE,
  exitWords: [
    { pattern: /^.*(getUserInfo failed: 40[13]|Invalid API key|Unauthorized).*$/im, kind: 'auth' },
    { pattern: /^.*(fetch failed|ECONNREFUSED|ENOTFOUND|Unable to connect).*$/im, kind: 'network' },
    { pattern: /^.*thread.*not found.*$/im, kind: 'session_not_found' },
  ],
  toolOutcome,
}

const WAITS_FOR_LOGIN = /^No API key found/

/** Reads the stream of Amp. Without a key the CLI prints plain text there and waits for somebody to sign in. */
export function createDialogue(options: RunOptions): Dialogue {
  const stream = claudeStreamDialogue(dialect, { ...options, nonInteractive: true })
  let waits = false
  return {
    ...stream,
    onLine(line: string, source: StreamSource): Effect[] {
      if (source === 'stdout' && WAITS_FOR_LOGIN.test(line)) {
        waits = true
        return failTurn('auth', { message: line, guidance: GUIDANCE, endNow: true })
      }
      return waits ? NO_EFFECTS : stream.onLine(line, source)
    },
    onExit: (exit) => (waits ? NO_EFFECTS : stream.onExit(exit)),
  }
}
