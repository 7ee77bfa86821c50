import type { UsageSource } from '../contract/session-store.ts'
import type { RegisteredAgent } from './registry.ts'

/** What a built-in agent writes down of its usage, where the environment of its run says. Loaded with the first one. */
export async function openUsage(
  { agent, source }: Pick<RegisteredAgent, 'agent' | 'source'>,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
  since: number,
): Promise<UsageSource | null> {
  if (source !== 'built-in') return null
  const [{ knownStore }, { SessionUsage }] = await Promise.all([
    import('./session-host.ts'),
    import('../sessions/session-usage.ts'),
  ])
  const store = knownStore(agent, env)
  return store && new SessionUsage(store, cwd, since)
}
