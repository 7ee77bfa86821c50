import type { AgentEvent } from './events.ts'

/** Fields the normaliser fills in, so that adapters stay pure: no clock, no counters, no accumulators. */
type Computed =
  | 'runId'
  | 'agent'
  | 'timestamp'
  | 'accumulated'
  | 'inputAccumulated'
  | 'turnIndex'
  | 'stepIndex'
  | 'turnCount'
  | 'durationMs'

type Draft<E> = E extends unknown ? Omit<E, Computed> & Partial<Pick<E, Extract<keyof E, Computed>>> : never

/** What an adapter emits. A complete `AgentEvent` is a valid draft too. */
export type AgentEventDraft = Draft<AgentEvent>
/** The draft of one type of event. */
export type AgentEventDraftOf<Type extends AgentEvent['type']> = Extract<AgentEventDraft, { type: Type }>
