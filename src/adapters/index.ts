import type { AgentAdapter } from '../contract/adapter.ts'
import type { AdapterManifest } from '../contract/manifest.ts'
import { manifest as claude } from './claude/manifest.ts'
import { manifest as codex } from './codex/manifest.ts'

/** The built-in adapters: manifests are data and always here, the code behind them is loaded on first use. */
export const builtInAdapters: readonly { manifest: AdapterManifest; load: () => Promise<AgentAdapter> }[] = [
  { manifest: claude, load: async () => (await import('./claude/index.ts')).default },
  { manifest: codex, load: async () => (await import('./codex/index.ts')).default },
]
