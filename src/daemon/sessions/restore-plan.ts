import type { RestorePlan } from '../../contract/api/schemas.ts'
import type { RestorePlan as AdapterPlan } from '../../contract/restore.ts'
import type { SessionRecord } from './record.ts'

/** Whether an agent still has a conversation. */
export type Conversation =
  /** `agentSessionId`: the agent calls it so now. */
  | { resumable: true; agentSessionId?: string }
  /** `atMost`: what its adapter allows instead; without it, what we have. */
  | { resumable: false; reason: string; atMost?: 'replay' | 'fresh' | 'impossible' }

/** What a third-party adapter says, as we use it. */
export function conversationOf(plan: AdapterPlan): Conversation {
  return plan.kind === 'native'
    ? { resumable: true, agentSessionId: plan.sessionId }
    : { resumable: false, reason: plan.reason, atMost: plan.kind }
}

/** What had to be looked up before a plan can be made. */
export interface RestoreFacts {
  session: Pick<SessionRecord, 'isLive' | 'metadata' | 'workspace' | 'mode'>
  workspaceExists: boolean
  /** Why the agent cannot be started here; null when it can. */
  unstartable: string | null
  /** Whether the agent still has the conversation; null when it never reported an id. */
  conversation: Conversation | null
  /** Whether we have anything of the old conversation to give to a new one. */
  hasHistory: boolean
}

/**
 * How a conversation can come back: as the agent itself keeps it; repeated to a new one from our own log; from
 * the start; or not at all, and why.
 */
export function planRestore({
  session,
  workspaceExists,
  unstartable,
  conversation,
  hasHistory,
}: RestoreFacts): RestorePlan {
  const impossible = (why: string): RestorePlan => ({ kind: 'impossible', why })
  if (session.isLive) return impossible('it is still running')
  if (!workspaceExists) return impossible(`its directory ${session.workspace.path} is gone`)
  if (unstartable !== null) return impossible(unstartable)
  const { agentSessionId } = session.metadata
  if (agentSessionId !== undefined && conversation?.resumable) {
    return {
      kind: 'native',
      agentSessionId: conversation.agentSessionId ?? agentSessionId,
      why: 'the agent still has the conversation',
    }
  }
  const lost = conversation && !conversation.resumable ? conversation : undefined
  const gone = lost?.reason ?? 'the agent never named its conversation'
  if (lost?.atMost === 'impossible') return impossible(gone)
  if (lost?.atMost === 'fresh') return { kind: 'fresh', why: gone }
  if (hasHistory) return { kind: 'replay', why: `${gone}; it is repeated from our log` }
  return { kind: 'fresh', why: `${gone}, and nothing was said in it` }
}
