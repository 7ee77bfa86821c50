import type { AgentAdapter } from '../contract/adapter.ts'
import type { AdapterManifest } from '../contract/manifest.ts'
import type { AgentName } from '../contract/names.ts'
import { manifest as agentMuxRemote } from './agent-mux-remote/manifest.ts'
import { manifest as agy } from './agy/manifest.ts'
import { manifest as aider } from './aider/manifest.ts'
import { manifest as amp } from './amp/manifest.ts'
import { manifest as auggie } from './auggie/manifest.ts'
import type { AdapterHost } from './base.ts'
import { manifest as claude } from './claude/manifest.ts'
import { manifest as cline } from './cline/manifest.ts'
import { manifest as codex } from './codex/manifest.ts'
import { manifest as continueCli } from './continue/manifest.ts'
import { manifest as copilot } from './copilot/manifest.ts'
import { manifest as crush } from './crush/manifest.ts'
import { manifest as cursor } from './cursor/manifest.ts'
import { manifest as devin } from './devin/manifest.ts'
import { manifest as droid } from './droid/manifest.ts'
import { manifest as gemini } from './gemini/manifest.ts'
import { manifest as goose } from './goose/manifest.ts'
import { manifest as grok } from './grok/manifest.ts'
import { manifest as hermes } from './hermes/manifest.ts'
import { manifest as junie } from './junie/manifest.ts'
import { manifest as kilo } from './kilo/manifest.ts'
import { manifest as kimi } from './kimi/manifest.ts'
import { manifest as kiro } from './kiro/manifest.ts'
import { manifest as letta } from './letta/manifest.ts'
import { manifest as omp } from './omp/manifest.ts'
import { manifest as openclaw } from './openclaw/manifest.ts'
import { manifest as opencode } from './opencode/manifest.ts'
import { manifest as opencodeHttp } from './opencode-http/manifest.ts'
import { manifest as pi } from './pi/manifest.ts'
import { manifest as qoder } from './qoder/manifest.ts'
import { manifest as qwen } from './qwen/manifest.ts'
import { manifest as vibe } from './vibe/manifest.ts'

interface BuiltIn {
  manifest: AdapterManifest
  /** The adapter's class, loaded on first use: manifests are data and always here, code is not. */
  adapterClass: () => Promise<new (host?: Partial<AdapterHost>) => AgentAdapter>
}

const BUILT_IN: readonly BuiltIn[] = [
  {
    manifest: agentMuxRemote,
    adapterClass: async () => (await import('./agent-mux-remote/index.ts')).AgentMuxRemoteAdapter,
  },
  { manifest: agy, adapterClass: async () => (await import('./agy/index.ts')).AgyAdapter },
  { manifest: aider, adapterClass: async () => (await import('./aider/index.ts')).AiderAdapter },
  { manifest: amp, adapterClass: async () => (await import('./amp/index.ts')).AmpAdapter },
  { manifest: auggie, adapterClass: async () => (await import('./auggie/index.ts')).AuggieAdapter },
  { manifest: claude, adapterClass: async () => (await import('./claude/index.ts')).ClaudeAdapter },
  { manifest: cline, adapterClass: async () => (await import('./cline/index.ts')).ClineAdapter },
  { manifest: codex, adapterClass: async () => (await import('./codex/index.ts')).CodexAdapter },
  { manifest: continueCli, adapterClass: async () => (await import('./continue/index.ts')).ContinueAdapter },
  { manifest: copilot, adapterClass: async () => (await import('./copilot/index.ts')).CopilotAdapter },
  { manifest: crush, adapterClass: async () => (await import('./crush/index.ts')).CrushAdapter },
  { manifest: cursor, adapterClass: async () => (await import('./cursor/index.ts')).CursorAdapter },
  { manifest: devin, adapterClass: async () => (await import('./devin/index.ts')).DevinAdapter },
  { manifest: droid, adapterClass: async () => (await import('./droid/index.ts')).DroidAdapter },
  { manifest: gemini, adapterClass: async () => (await import('./gemini/index.ts')).GeminiAdapter },
  { manifest: goose, adapterClass: async () => (await import('./goose/index.ts')).GooseAdapter },
  { manifest: grok, adapterClass: async () => (await import('./grok/index.ts')).GrokAdapter },
  { manifest: hermes, adapterClass: async () => (await import('./hermes/index.ts')).HermesAdapter },
  { manifest: junie, adapterClass: async () => (await import('./junie/index.ts')).JunieAdapter },
  { manifest: kilo, adapterClass: async () => (await import('./kilo/index.ts')).KiloAdapter },
  { manifest: kimi, adapterClass: async () => (await import('./kimi/index.ts')).KimiAdapter },
  { manifest: kiro, adapterClass: async () => (await import('./kiro/index.ts')).KiroAdapter },
  { manifest: letta, adapterClass: async () => (await import('./letta/index.ts')).LettaAdapter },
  { manifest: omp, adapterClass: async () => (await import('./omp/index.ts')).OmpAdapter },
  { manifest: openclaw, adapterClass: async () => (await import('./openclaw/index.ts')).OpenclawAdapter },
  { manifest: opencode, adapterClass: async () => (await import('./opencode/index.ts')).OpencodeAdapter },
  { manifest: opencodeHttp, adapterClass: async () => (await import('./opencode-http/index.ts')).OpencodeHttpAdapter },
  { manifest: pi, adapterClass: async () => (await import('./pi/index.ts')).PiAdapter },
  { manifest: qoder, adapterClass: async () => (await import('./qoder/index.ts')).QoderAdapter },
  { manifest: qwen, adapterClass: async () => (await import('./qwen/index.ts')).QwenAdapter },
  { manifest: vibe, adapterClass: async () => (await import('./vibe/index.ts')).VibeAdapter },
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
