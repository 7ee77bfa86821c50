import type { AgentEventDraft } from '../../src/contract/event-drafts.ts'
import type { AgentEvent } from '../../src/contract/events.ts'
import type { LaunchRecord } from '../../src/contract/launch.ts'
import { completeDraft } from '../../src/core/complete-draft.ts'
import { beginLaunch, newSession, type SessionRecord } from '../../src/daemon/sessions/record.ts'
import { reduceRecords } from '../../src/daemon/sessions/reduce.ts'

export function event(draft: AgentEventDraft, at = 10): AgentEvent {
  completeDraft(draft, { runId: 'r', agent: 'claude', timestamp: at })
  return draft
}

export const account = (id: string) => ({ id, endpoint: null, key: null, profile: null })

export function session(more: Partial<SessionRecord> = {}): SessionRecord {
  const fresh = newSession({
    ...{ id: 'abcd', name: null, agent: 'claude', mode: 'headless', options: { keepOpen: true }, terminal: null },
    ...{ workspace: { kind: 'directory', path: '/w' }, secretOptions: [], createdAt: 1 },
  })
  return { ...beginLaunch(fresh, 1, 1), ...more }
}

/** The session after these events, one second apart. */
export function take(start: SessionRecord, ...drafts: AgentEventDraft[]): SessionRecord {
  return reduceRecords(start, records(...drafts))
}

export function records(...drafts: AgentEventDraft[]): LaunchRecord[] {
  return drafts.map((draft, index) => ({ n: index + 1, frame: 1, event: event(draft, (index + 1) * 1000) }))
}

export const ASK = {
  ...{ type: 'approval_request', interactionId: 'i1', action: 'shell', detail: 'rm x', riskLevel: 'high' },
} as const satisfies AgentEventDraft
