// Written by `npm run agents` from the folders of src/adapters.
import type { SessionStore } from '../contract/session-store.ts'

/** What reads the conversations of an agent, loaded when there is something to read. */
export const sessionReaders: Readonly<Record<string, () => Promise<SessionStore>>> = {
  aider: async () => (await import('./aider/sessions.ts')).sessions,
  claude: async () => (await import('./claude/sessions.ts')).sessions,
  cline: async () => (await import('./cline/sessions.ts')).sessions,
  codex: async () => (await import('./codex/sessions.ts')).sessions,
  continue: async () => (await import('./continue/sessions.ts')).sessions,
  copilot: async () => (await import('./copilot/sessions.ts')).sessions,
  droid: async () => (await import('./droid/sessions.ts')).sessions,
  gemini: async () => (await import('./gemini/sessions.ts')).sessions,
  grok: async () => (await import('./grok/sessions.ts')).sessions,
  hermes: async () => (await import('./hermes/sessions.ts')).sessions,
  kilo: async () => (await import('./kilo/sessions.ts')).sessions,
  kimi: async () => (await import('./kimi/sessions.ts')).sessions,
  letta: async () => (await import('./letta/sessions.ts')).sessions,
  omp: async () => (await import('./omp/sessions.ts')).sessions,
  openclaw: async () => (await import('./openclaw/sessions.ts')).sessions,
  opencode: async () => (await import('./opencode/sessions.ts')).sessions,
  'opencode-http': async () => (await import('./opencode-http/sessions.ts')).sessions,
  pi: async () => (await import('./pi/sessions.ts')).sessions,
  qwen: async () => (await import('./qwen/sessions.ts')).sessions,
  vibe: async () => (await import('./vibe/sessions.ts')).sessions,
}
