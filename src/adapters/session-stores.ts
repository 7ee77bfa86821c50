import { resolve } from 'node:path'
import type { AgentName } from '../contract/names.ts'
import type { SessionStore } from '../contract/session-store.ts'
import type { AdapterHost } from './base.ts'

export interface StoreEntry {
  agent: AgentName
  /** A folder or a database: the first of these whose variables are all set. A variable may hold a whole path. */
  at: readonly string[]
  /** The same store as another agent's, who then has the sessions in lists. */
  sharedWith?: AgentName
  load: () => Promise<SessionStore>
}

const DATA = ['$XDG_DATA_HOME', '~/.local/share']

/** A database below the user's data, under another name or elsewhere when a variable says so. */
function database(folder: string, variable: string): string[] {
  return [`$${variable}`, `${folder}.db`].flatMap((name) => DATA.map((data) => `${data}/${folder}/${name}`))
}

/** Where the agents keep their conversations. What reads them is loaded when there is something to read. */
export const sessionStores: readonly StoreEntry[] = [
  {
    agent: 'claude',
    at: ['$CLAUDE_CONFIG_DIR/projects', '~/.claude/projects'],
    load: async () => (await import('./claude/sessions.ts')).sessions,
  },
  {
    agent: 'cline',
    at: ['$CLINE_SESSION_DATA_DIR', '$CLINE_DATA_DIR/sessions', '~/.cline/data/sessions'],
    load: async () => (await import('./cline/sessions.ts')).sessions,
  },
  {
    agent: 'codex',
    at: ['$CODEX_HOME/sessions', '~/.codex/sessions'],
    load: async () => (await import('./codex/sessions.ts')).sessions,
  },
  {
    agent: 'continue',
    at: ['$CONTINUE_GLOBAL_DIR/sessions', '~/.continue/sessions'],
    load: async () => (await import('./continue/sessions.ts')).sessions,
  },
  {
    agent: 'copilot',
    at: ['$COPILOT_HOME/session-state', '~/.copilot/session-state'],
    load: async () => (await import('./copilot/sessions.ts')).sessions,
  },
  {
    agent: 'droid',
    at: ['$FACTORY_HOME_OVERRIDE/.factory/sessions', '~/.factory/sessions'],
    load: async () => (await import('./droid/sessions.ts')).sessions,
  },
  {
    agent: 'gemini',
    at: ['$GEMINI_CLI_HOME/.gemini/tmp', '~/.gemini/tmp'],
    load: async () => (await import('./gemini/sessions.ts')).sessions,
  },
  {
    agent: 'grok',
    at: ['$GROK_HOME/sessions', '~/.grok/sessions'],
    load: async () => (await import('./grok/sessions.ts')).sessions,
  },
  {
    agent: 'hermes',
    at: ['$HERMES_HOME/state.db', '~/.hermes/state.db'],
    load: async () => (await import('./hermes/sessions.ts')).sessions,
  },
  {
    agent: 'kilo',
    at: database('kilo', 'KILO_DB'),
    load: async () => (await import('./kilo/sessions.ts')).sessions,
  },
  {
    agent: 'kimi',
    at: ['$KIMI_CODE_HOME/sessions', '~/.kimi-code/sessions'],
    load: async () => (await import('./kimi/sessions.ts')).sessions,
  },
  {
    agent: 'letta',
    at: ['$LETTA_LOCAL_BACKEND_DIR', '~/.letta/lc-local-backend'],
    load: async () => (await import('./letta/sessions.ts')).sessions,
  },
  {
    agent: 'omp',
    at: ['$PI_CODING_AGENT_DIR/sessions', '~/.omp/agent/sessions'],
    load: async () => (await import('./omp/sessions.ts')).sessions,
  },
  {
    agent: 'openclaw',
    at: [
      '$OPENCLAW_STATE_DIR/agents/main/agent/openclaw-agent.sqlite',
      '~/.openclaw/agents/main/agent/openclaw-agent.sqlite',
    ],
    load: async () => (await import('./openclaw/sessions.ts')).sessions,
  },
  {
    agent: 'opencode',
    at: database('opencode', 'OPENCODE_DB'),
    load: async () => (await import('./opencode/sessions.ts')).sessions,
  },
  {
    agent: 'opencode-http',
    at: database('opencode', 'OPENCODE_DB'),
    sharedWith: 'opencode',
    load: async () => (await import('./opencode-http/sessions.ts')).sessions,
  },
  {
    agent: 'pi',
    at: ['$PI_CODING_AGENT_SESSION_DIR', '$PI_CODING_AGENT_DIR/sessions', '~/.pi/agent/sessions'],
    load: async () => (await import('./pi/sessions.ts')).sessions,
  },
  {
    agent: 'qwen',
    at: ['$QWEN_RUNTIME_DIR/projects', '$QWEN_HOME/projects', '~/.qwen/projects'],
    load: async () => (await import('./qwen/sessions.ts')).sessions,
  },
]

/** Where the agent's store is on this machine, whether it exists or not. Null when its store is not known. */
export function storePath(agent: AgentName, host: Pick<AdapterHost, 'env' | 'homeDir'>): string | null {
  const entry = sessionStores.find((one) => one.agent === agent)
  for (const template of entry?.at ?? []) {
    const parts = template.split('/').map((part) => expand(part, host))
    if (parts.every((part) => part !== '')) return resolve(...parts)
  }
  return null
}

function expand(part: string, { env, homeDir }: Pick<AdapterHost, 'env' | 'homeDir'>): string {
  if (part === '~') return homeDir
  return part.startsWith('$') ? (env[part.slice(1)] ?? '') : part
}
