import type { AgentAdapter } from '../contract/adapter.ts'
import type { AdapterManifest } from '../contract/manifest.ts'
import type { AgentName } from '../contract/names.ts'
import type { AdapterHost } from './base.ts'
import { manifest as claude } from './claude/manifest.ts'
import { manifest as codex } from './codex/manifest.ts'
import { manifest as copilot } from './copilot/manifest.ts'
import { manifest as droid } from './droid/manifest.ts'
import { manifest as gemini } from './gemini/manifest.ts'
import { manifest as kilo } from './kilo/manifest.ts'
import { manifest as kimi } from './kimi/manifest.ts'
import { manifest as omp } from './omp/manifest.ts'
import { manifest as opencode } from './opencode/manifest.ts'
import { manifest as pi } from './pi/manifest.ts'
import { manifest as qwen } from './qwen/manifest.ts'

interface BuiltIn {
  manifest: AdapterManifest
  /** The adapter's class, loaded on first use: manifests are data and always here, code is not. */
  adapterClass: () => Promise<new (host?: Partial<AdapterHost>) => AgentAdapter>
}

const BUILT_IN: readonly BuiltIn[] = [
  { manifest: claude, adapterClass: async () => (await import('./claude/index.ts')).ClaudeAdapter },
  { manifest: codex, adapterClass: async () => (await import('./codex/index.ts')).CodexAdapter },
  { manifest: copilot, adapterClass: async () => (await import('./copilot/index.ts')).CopilotAdapter },
  { manifest: droid, adapterClass: async () => (await import('./droid/index.ts')).DroidAdapter },
  { manifest: gemini, adapterClass: async () => (await import('./gemini/index.ts')).GeminiAdapter },
  { manifest: kilo, adapterClass: async () => (await import('./kilo/index.ts')).KiloAdapter },
  { manifest: kimi, adapterClass: async () => (await import('./kimi/index.ts')).KimiAdapter },
  { manifest: omp, adapterClass: async () => (await import('./omp/index.ts')).OmpAdapter },
  { manifest: opencode, adapterClass: async () => (await import('./opencode/index.ts')).OpencodeAdapter },
  { manifest: pi, adapterClass: async () => (await import('./pi/index.ts')).PiAdapter },
  { manifest: qwen, adapterClass: async () => (await import('./qwen/index.ts')).QwenAdapter },
]

/** For the registry: each manifest with a loader that makes one instance. */
export const builtInAdapters = BUILT_IN.map(({ manifest, adapterClass }) => {
  let instance: Promise<AgentAdapter> | null = null
  return {
    manifest,
    load: () => {
      instance ??= adapterClass().then((Adapter) => new Adapter())
      return instance
    },
  }
})

/** An adapter that looks at another home than the user's. */
export async function loadAdapterFor(agent: AgentName, host: Partial<AdapterHost>): Promise<AgentAdapter> {
  const entry = BUILT_IN.find(({ manifest }) => manifest.agent === agent)
  if (!entry) throw new Error(`${agent} is not built in`)
  return new (await entry.adapterClass())(host)
}
