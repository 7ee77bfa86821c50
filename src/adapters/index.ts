import type { AgentAdapter } from '../contract/adapter.ts'
import type { AgentName } from '../contract/names.ts'
import type { AdapterHost } from './base.ts'
import { manifests } from './manifests.ts'

/** The adapter's class, loaded on first use: manifests are data and always here, code is not. */
type ClassLoader = () => Promise<new (host?: Partial<AdapterHost>) => AgentAdapter>

const CLASSES: Readonly<Record<AgentName, ClassLoader>> = {
  'agent-mux-remote': async () => (await import('./agent-mux-remote/index.ts')).AgentMuxRemoteAdapter,
  agy: async () => (await import('./agy/index.ts')).AgyAdapter,
  aider: async () => (await import('./aider/index.ts')).AiderAdapter,
  amp: async () => (await import('./amp/index.ts')).AmpAdapter,
  auggie: async () => (await import('./auggie/index.ts')).AuggieAdapter,
  claude: async () => (await import('./claude/index.ts')).ClaudeAdapter,
  cline: async () => (await import('./cline/index.ts')).ClineAdapter,
  codex: async () => (await import('./codex/index.ts')).CodexAdapter,
  continue: async () => (await import('./continue/index.ts')).ContinueAdapter,
  copilot: async () => (await import('./copilot/index.ts')).CopilotAdapter,
  crush: async () => (await import('./crush/index.ts')).CrushAdapter,
  cursor: async () => (await import('./cursor/index.ts')).CursorAdapter,
  devin: async () => (await import('./devin/index.ts')).DevinAdapter,
  droid: async () => (await import('./droid/index.ts')).DroidAdapter,
  gemini: async () => (await import('./gemini/index.ts')).GeminiAdapter,
  goose: async () => (await import('./goose/index.ts')).GooseAdapter,
  grok: async () => (await import('./grok/index.ts')).GrokAdapter,
  hermes: async () => (await import('./hermes/index.ts')).HermesAdapter,
  junie: async () => (await import('./junie/index.ts')).JunieAdapter,
  kilo: async () => (await import('./kilo/index.ts')).KiloAdapter,
  kimi: async () => (await import('./kimi/index.ts')).KimiAdapter,
  kiro: async () => (await import('./kiro/index.ts')).KiroAdapter,
  letta: async () => (await import('./letta/index.ts')).LettaAdapter,
  omp: async () => (await import('./omp/index.ts')).OmpAdapter,
  openclaw: async () => (await import('./openclaw/index.ts')).OpenclawAdapter,
  opencode: async () => (await import('./opencode/index.ts')).OpencodeAdapter,
  'opencode-http': async () => (await import('./opencode-http/index.ts')).OpencodeHttpAdapter,
  pi: async () => (await import('./pi/index.ts')).PiAdapter,
  qoder: async () => (await import('./qoder/index.ts')).QoderAdapter,
  qwen: async () => (await import('./qwen/index.ts')).QwenAdapter,
  roo: async () => (await import('./roo/index.ts')).RooAdapter,
  vibe: async () => (await import('./vibe/index.ts')).VibeAdapter,
}

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
  const adapterClass = CLASSES[agent]
  if (!adapterClass) throw new Error(`${agent} is not built in`)
  return new (await adapterClass())(host)
}
