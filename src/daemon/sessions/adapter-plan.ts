import type { AdapterRegistry } from '../../contract/registry.ts'
import type { RestorePlan, SessionReference } from '../../contract/restore.ts'

/**
 * What an adapter of somebody else says of a conversation; null where it says nothing. For built-in ones, whose stores,
 * versions and directories we know ourselves, we look.
 */
export async function adapterPlan(
  adapters: Pick<AdapterRegistry, 'list' | 'load'>,
  agent: string,
  reference: SessionReference,
): Promise<RestorePlan | null> {
  if (adapters.list().find((one) => one.agent === agent)?.source !== 'plugin') return null
  const adapter = await adapters.load(agent)
  if (!adapter.planRestore) return null
  try {
    return await adapter.planRestore(reference)
  } catch (error) {
    return { kind: 'replay', sessionId: reference.sessionId, reason: `its adapter failed: ${wordsOf(error)}` }
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
