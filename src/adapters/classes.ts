// Written by `npm run agents` from the folders of src/adapters.
import type { AgentAdapter } from '../contract/adapter.ts'
import type { AdapterHost } from './base.ts'

/** The adapter's class, loaded on first use: manifests are data and always here, code is not. */
type ClassLoader = () => Promise<new (host?: Partial<AdapterHost>) => AgentAdapter>

export const classLoaders: Readonly<Record<string, ClassLoader>> = {
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
