/** How a conversation can be brought back. */
export type RestorePlan =
  /** The CLI goes on with its own session. `probed`: it was seen in the agent's store. */
  | { kind: 'native'; sessionId: string; probed: boolean }
  /** The CLI cannot, but the conversation can be read: a new session can be given a summary (`sessions.handoff`). */
  | { kind: 'replay'; sessionId: string; reason: string }
  /** There is no such conversation any more: only a new one can be begun. */
  | { kind: 'fresh'; reason: string }
  | { kind: 'impossible'; reason: string }

/** The part of a session by which it is found. */
export interface SessionReference {
  sessionId: string
  cwd?: string
}
