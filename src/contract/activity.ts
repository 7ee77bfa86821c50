/** What an agent is doing. `status` is derived from it for display and never stored. */
export type ActivityState =
  /** Started, and no sign of life yet. */
  | 'spawning'
  /** A turn is over; it takes the next message. */
  | 'idle'
  | 'active'
  /** It has asked the user something and takes the answer as a message. */
  | 'waiting_input'
  /** A permission dialog is open: what is typed now would answer the dialog. */
  | 'blocked'
  /** Its process is gone. Whether the session was ended on purpose is not a question of activity. */
  | 'exited'

/** Where a sign comes from, the most trusted first. `protocol` is the agent's own structured stream. */
export const EVIDENCE_SOURCES = ['protocol', 'hook', 'transcript', 'screen', 'process'] as const
/** Where a sign of activity comes from, in order of trust. */
export type EvidenceSource = (typeof EVIDENCE_SOURCES)[number]

/** One sign of what an agent is doing, as its adapter reads it. */
export interface Sign {
  /** `unknown`: the look at it failed, which proves nothing. */
  state: ActivityState | 'unknown'
  detail?: string
  /** With `blocked`: which dialog is open, where several can be. */
  dialog?: string
  /** The dialog that is over by now; `true`: every one. */
  closes?: string | true
  /** With `idle`: its conversation has just begun. What came before was not a turn, but its start. */
  isNewSession?: true
  /** With `active`: a new turn begins. */
  begins?: true
  /** With `idle`: the turn did not complete; `detail` says why. */
  ended?: 'failed' | 'interrupted'
}

/** A sign with its place in time. */
export interface Fact extends Sign {
  source: EvidenceSource
  /** Epoch milliseconds. */
  at: number
  /** The number of the launch it belongs to, counted from 1. */
  launch: number
}

/** The judgement on all facts. */
export interface Activity {
  /** `unknown` is shown as such: it is not idle. */
  state: ActivityState | 'unknown'
  launch: number
  /** In a few words, for people. */
  why: string
  source: EvidenceSource | null
  /** When the fact was true on which this rests; null without any. */
  at: number | null
  /** Since when its source has said so without a break. */
  since: number | null
}
