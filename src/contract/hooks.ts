import type { Sign } from './activity.ts'
import type { AgentName } from './names.ts'
import type { TokenUsage } from './usage.ts'

/** Marks everything of ours in a user's file, and every file of ours, so that we recognise it. */
export const HOOK_MARK = 'amux-hook'

/** Where hooks are installed: for the user or for one project. */
export type HookScope = 'user' | 'workspace' | 'launch'

/** What an adapter must know of the machine to plan its hooks. */
export interface HookContext {
  homeDir: string
  env: Readonly<Record<string, string | undefined>>
  /** The directory that the agent works in. */
  workspace: string
  /** Path of the program that delivers a hook; its name holds `HOOK_MARK`. */
  callback: string
  /** Our state, with the spool in it: for hooks that are code and deliver by themselves. */
  dataDir: string
}

/** One thing to add to a file that is the user's. */
export interface HookEntry {
  keyPath: readonly string[]
  /**
   * `item`: added to the list there, which is made when missing. `value`: the key is ours. `default`: set where the
   * user has not, because the agent needs it.
   */
  as: 'item' | 'value' | 'default'
  /** Holds `HOOK_MARK` somewhere, or is below a key that does; a default need not. */
  value: unknown
}

/** A file of the user's with entries of ours in it. */
export interface SharedHookFile {
  kind: 'shared'
  path: string
  format: 'json' | 'toml' | 'yaml'
  entries: HookEntry[]
}

/** A file that is ours alone: a plugin, an extension, a script. Its content holds `HOOK_MARK`. */
export interface OwnHookFile {
  kind: 'own'
  path: string
  content: string
  executable?: boolean
}

/** A file that a hook plan writes or adds to. */
export type HookFile = SharedHookFile | OwnHookFile

/** What installing hooks writes, and what the user has to know. */
export interface HookInstallation {
  files: HookFile[]
  /** What the user has to do or to know for the hooks to run. */
  notes?: string[]
  /** The agent runs them only after the user has agreed to each in its own interface. */
  needsConsent?: boolean
}

/** Hooks of one launch: nothing of the user's is touched. */
export interface LaunchHooks {
  /** For the command line, before a `--`. */
  args: string[]
  /** A flag in `args` that the CLI takes once: where the run needs it for itself, the hooks are left out. */
  onceFlag?: string
  env: Record<string, string>
  /** In our data directory, and the same for every launch. */
  files: OwnHookFile[]
}

/** How an agent's hooks come to us, as data: applied, checked and removed by `src/hooks`. */
export interface HookPlan {
  agent: AgentName
  /** The native events that are asked for. */
  events: readonly string[]
  /** For sessions that we start. */
  launch?: LaunchHooks
  /** For sessions that the user starts: in the user's own settings. */
  user?: HookInstallation
  /** The same for one directory. */
  workspace?: HookInstallation
}

/** What is known of a session beside its activity. */
export interface SessionMetadata {
  /** The agent's own id of the conversation. */
  agentSessionId?: string
  /** From a prompt of the user; the first one counts. */
  title?: string
  /** What the agent itself calls the conversation. */
  ownTitle?: string
  /** The agent's last answer. */
  summary?: string
  transcriptPath?: string
  model?: string
  /** What one turn or message used, where the agent says so. A hint: the stream or the transcript are exact. */
  usage?: Partial<TokenUsage>
}

/** What a hook reports. */
export interface HookReading {
  evidence?: Sign
  metadata?: SessionMetadata
  /** A command that has run, and what it printed. */
  ran?: { command: string; output: string; failed: boolean }
}

/** How an agent's hooks are installed, and what their payloads mean: the `hooks.ts` of an adapter. */
export interface AdapterHooks {
  plan(context: HookContext): HookPlan
  read(event: string, payload: unknown): HookReading | null
}
