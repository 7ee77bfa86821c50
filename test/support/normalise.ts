import type { AgentEventDraft } from '../../src/contract/event-drafts.ts'
import type { AgentEvent } from '../../src/contract/events.ts'
import { Normaliser } from '../../src/engine/normaliser.ts'

export const RUN_ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV'

export function normalise(
  drafts: readonly AgentEventDraft[],
  { stream = true, terminal = null, clock = [0], sessionId = undefined as string | undefined } = {},
): AgentEvent[] {
  let tick = 0
  const now = () => clock[tick++ % clock.length] ?? 0
  const normaliser = new Normaliser({ runId: RUN_ID, agent: 'fake', now, stream, sessionId })
  const out: AgentEvent[] = []
  // A copy each: events are completed in place.
  for (const draft of drafts) normaliser.accept({ ...draft }, out)
  normaliser.finish(terminal, out)
  return out
}

export const types = (events: readonly AgentEvent[]) => events.map((event) => event.type)
