import type { UsageSource } from '../contract/session-store.ts'
import type { RegisteredAgent } from './registry.ts'

/** What a built-in agent writes down of its usage, where the environment of its run says. Loaded with the first one. */
export async function openUsage(
  { agent, source }: Pick<RegisteredAgent, 'agent' | 'source'>,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
  since: number,
  ownStore?: () => string | null,
): Promise<UsageSource | null> {
  if (source !== 'built-in') return null
  const [{ knownStore }, { SessionUsage }, { OwnStoreUsage }] = await Promise.all([
    import('./session-host.ts'),
    import('../sessions/session-usage.ts'),
    import('../sessions/own-store-usage.ts'),
  ])
  const store = knownStore(agent, env)
  if (!store) return null
  const open = (path: string) => new SessionUsage({ ...store, path }, cwd, since)
  return ownStore ? new OwnStoreUsage(ownStore, open) : open(store.path)
}
