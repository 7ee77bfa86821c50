import type { RunOptions } from '../../contract/run-options.ts'

/** The run goes on with a conversation that exists, or with a copy of it. */
export function continuesSession({ sessionId, forkSessionId }: RunOptions): boolean {
  return sessionId !== undefined || forkSessionId !== undefined
}
