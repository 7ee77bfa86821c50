import { homedir } from 'node:os'
import { join } from 'node:path'
import { ValidationError } from '../../contract/errors.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { newSessionIdFaults } from '../kit/new-session-id.ts'

/** An id is the name of a file. */
const FORM = { pattern: /^[\w-]+$/, words: 'letters, digits and dashes' }

/** A conversation is named after the run that began it. */
export function sessionIdOf({ sessionId, newSessionId, runId }: RunOptions): string {
  return sessionId ?? newSessionId ?? runId ?? 'session'
}

export function checkSessionIds(options: RunOptions): void {
  const faults = newSessionIdFaults(options, { form: FORM, forForks: false })
  const { sessionId } = options
  if (sessionId !== undefined && !FORM.pattern.test(sessionId)) {
    faults.push({ field: 'sessionId', message: `must be ${FORM.words}`, received: sessionId, expected: FORM.words })
  }
  if (faults.length > 0) throw new ValidationError(faults)
}

/** What it writes for us: the words, and the counts of its requests, which are rounded in the words. */
export function sessionPaths(options: RunOptions): { words: string; counts: string } {
  if (options.noSession) return { words: '{file:session.md}', counts: '{file:session.jsonl}' }
  const home = options.env?.HOME ?? process.env.HOME ?? homedir()
  const base = join(home, '.aider', 'sessions', sessionIdOf(options))
  return { words: `${base}.md`, counts: `${base}.jsonl` }
}
