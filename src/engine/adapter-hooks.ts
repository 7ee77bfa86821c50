import type { AgentAdapter } from '../contract/adapter.ts'
import type { TurnFailure } from '../contract/dialogue.ts'
import { type AgentMuxError, isAgentMuxError } from '../contract/errors.ts'
import type { AgentEventDraft } from '../contract/event-drafts.ts'
import { isTerminalEvent } from '../contract/event-guards.ts'

/** The failure of a run whose process could not be made, in the adapter's words where it has any. */
export function spawnFailure(adapter: AgentAdapter, error: Error): TurnFailure {
  if (isAgentMuxError(error)) return ownFailure(error)
  const outcome = { kind: 'crashed', evidence: `could not be started: ${error.message}` } as const
  const crash = { type: 'crash', exitCode: -1, stderr: error.message } as const
  try {
    return { event: { ...(adapter.onSpawnError?.(error) ?? crash) }, outcome }
  } catch {
    return { event: crash, outcome } // documented: the hook must not throw
  }
}

/** What we know of ourselves, as that an optional package is missing: no adapter could say it better. */
function ownFailure({ code, message, hint }: AgentMuxError): TurnFailure {
  const evidence = hint === undefined ? message : `${message}. ${hint}`
  return {
    event: { type: 'error', code, message: evidence, recoverable: false },
    outcome: { kind: 'failed', code, evidence },
  }
}

/** What the adapter says to an inactivity timeout, as a note: the one terminal event of such a run is `timeout`. */
export function timeoutNote(adapter: AgentAdapter): AgentEventDraft | null {
  try {
    const event = adapter.onTimeout?.()
    if (!event) return null
    const note = 'recoverable' in event ? { ...event, recoverable: true } : { ...event }
    return isTerminalEvent(note) ? null : note
  } catch {
    return null // documented: the hook must not throw
  }
}
