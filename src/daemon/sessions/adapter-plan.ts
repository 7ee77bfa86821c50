import type { Fact } from '../../contract/activity.ts'
import type { AgentAdapter } from '../../contract/adapter.ts'
import type { AdapterRegistry } from '../../contract/registry.ts'
import type { RestorePlan, SessionReference } from '../../contract/restore.ts'

type Adapters = Pick<AdapterRegistry, 'list' | 'load'>

/** An adapter of somebody else. For built-in ones, whose stores, versions and directories we know ourselves, we look. */
async function foreignAdapter(adapters: Adapters, agent: string): Promise<AgentAdapter | null> {
  const isForeign = adapters.list().find((one) => one.agent === agent)?.source === 'plugin'
  return isForeign ? adapters.load(agent) : null
}

/** How an adapter of somebody else would bring a conversation back; null where it does not say. */
export async function adapterPlan(
  adapters: Adapters,
  agent: string,
  reference: SessionReference,
): Promise<RestorePlan | null> {
  const adapter = await foreignAdapter(adapters, agent)
  if (!adapter?.planRestore) return null
  try {
    return await adapter.planRestore(reference)
  } catch (error) {
    return { kind: 'replay', sessionId: reference.sessionId, reason: `its adapter failed: ${wordsOf(error)}` }
  }
}

/**
 * How an adapter of somebody else reports what goes on in a conversation; null: it does not, and we read the
 * transcript.
 */
export async function adapterActivity(adapters: Adapters, agent: string): Promise<AskActivity | null> {
  const adapter = await foreignAdapter(adapters, agent)
  if (!adapter?.getActivityState) return null
  // One that fails has not reported anything.
  return async (reference) => (await adapter.getActivityState?.(reference)) ?? null
}

export type AskActivity = (reference: SessionReference) => Promise<Fact | null>

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
