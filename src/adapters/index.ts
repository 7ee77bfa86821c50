import type { AgentAdapter } from '../contract/adapter.ts'
import type { AgentName } from '../contract/names.ts'
import type { AdapterHost } from './base.ts'
import { manifests } from './manifests.ts'

/** For the registry: each manifest with a loader that makes one instance. */
export const builtInAdapters = manifests.map((manifest) => {
  let instance: Promise<AgentAdapter> | null = null
  return {
    manifest,
    load: () => {
      instance ??= loadAdapterFor(manifest.agent)
      return instance
    },
  }
})

/** A new adapter; with a host of its own it looks at another home than the user's. */
export async function loadAdapterFor(agent: AgentName, host?: Partial<AdapterHost>): Promise<AgentAdapter> {
  const { classLoaders } = await import('./classes.ts')
  const adapterClass = classLoaders[agent]
  if (!adapterClass) throw new Error(`${agent} is not built in`)
  return new (await adapterClass())(host)
}
