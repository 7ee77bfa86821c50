import type { AuthMethod } from './auth.ts'
import type { AgentName } from './names.ts'
import type { ApprovalMode, EndpointProtocol, SamplingOption, SystemPromptMode, ThinkingEffort } from './run-options.ts'

/** An operating system, as in `process.platform`. */
export type Platform = 'darwin' | 'linux' | 'win32'
/** The form in which an agent takes plugins. */
export type PluginFormat =
  | 'npm-package'
  | 'skill-file'
  | 'skill-directory'
  | 'extension-ts'
  | 'channel-plugin'
  | 'mcp-server'

/** One way to install an agent. */
export interface InstallMethod {
  platform: Platform | 'all'
  type: 'npm' | 'brew' | 'gh-extension' | 'curl' | 'winget' | 'scoop' | 'manual' | 'pip' | 'nix'
  command: string
  notes?: string
  prerequisiteCheck?: string
}

/** Whether an agent has hooks, and whether they can block what it does. */
export type HookSupport = 'unsupported' | 'nonblocking' | 'blocking'

/** Something that happens in a run and that an agent may give no sign of. */
export type Unreported =
  | 'session id'
  | 'tools'
  | 'tool input'
  | 'command output'
  | 'directories'
  | 'thinking'
  | 'usage'
  /** What it uses for titles and the like, beside the conversation. */
  | 'side requests'
  /** How much of the input came from the cache: all of it counts as new. */
  | 'cached tokens'
  | 'refusals'
  | 'retries'

/** What an agent can do. Everything here is checked before a process is started. */
export interface AgentCapabilities {
  agent: AgentName

  canResume: boolean
  canFork: boolean
  supportsMultiTurn: boolean
  sessionPersistence: 'none' | 'file' | 'sqlite' | 'in-memory'
  /** The caller may choose the id of a new session. */
  supportsSessionId?: boolean
  /** A run that leaves no session behind. */
  supportsEphemeral?: boolean

  supportsTextStreaming: boolean
  supportsToolCallStreaming: boolean
  supportsThinkingStreaming: boolean

  supportsNativeTools: boolean
  supportsMCP: boolean
  supportsParallelToolCalls: boolean
  requiresToolApproval: boolean
  approvalModes: ApprovalMode[]
  /** Approvals reach the caller over the protocol while the agent waits. */
  supportsApprovals?: boolean
  supportsQuestions?: boolean
  supportsToolLists?: boolean
  supportsAddDirs?: boolean

  supportsThinking: boolean
  thinkingEffortLevels: ThinkingEffort[]
  supportsThinkingBudgetTokens: boolean
  supportsThinkingOverride?: boolean
  systemPromptModes?: SystemPromptMode[]

  supportsJsonMode: boolean
  supportsStructuredOutput: boolean
  /** The CLI keeps `maxTurns` itself, just as it is meant. For the others we count what we see of their requests. */
  supportsMaxTurns?: boolean
  /** It runs tools before a response of its model is over: only the usage of a response shows where it ends. */
  callsToolsEarly?: boolean
  /** The model settings that it has a place for; the others are refused. Left out: `buildSpawnArgs` answers for them. */
  samplingOptions?: readonly SamplingOption[]

  supportsSkills: boolean
  supportsAgentsMd: boolean
  skillsFormat: 'file' | 'directory' | 'npm-package' | null
  supportsSubagentDispatch: boolean
  supportsParallelExecution: boolean
  maxParallelTasks?: number

  supportsInteractiveMode: boolean
  supportsStdinInjection: boolean
  supportsInterrupt?: boolean
  supportsSteer?: boolean
  supportsSetModel?: boolean
  /** What an endpoint may speak that the agent is sent to; the first is meant when nothing is said. */
  endpointProtocols?: readonly EndpointProtocol[]
  /** Its own screen runs in a terminal of ours. */
  supportsTerminal?: boolean

  supportsImageInput: boolean
  supportsImageOutput: boolean
  supportsFileAttachments: boolean

  supportsPlugins: boolean
  pluginFormats: PluginFormat[]
  pluginRegistries: { name: string; url: string; searchable: boolean }[]
  pluginInstallCmd?: string
  pluginListCmd?: string
  pluginUninstallCmd?: string
  pluginUpdateCmd?: string
  pluginSearchCmd?: string
  pluginMarketplaceUrl?: string

  /** The forms that report their usage only when a turn is over; while it runs, the agent's own store is looked at. */
  usageAfterTurn?: readonly ('live' | 'one-shot')[]
  /** False: what a turn has used is not known in any way before the turn is over, so that `maxCostUsd` is refused. */
  supportsBudget?: boolean
  /** False: a budget is not seen to hold on its own screen, so it is refused there. */
  supportsTerminalBudget?: boolean
  /** It reports what each request costs while a turn runs, where it knows the price itself. */
  reportsCost?: boolean
  /** Its CLI reports how much of the user's plan is used. */
  supportsQuota?: boolean
  /** Its CLI reports which models it can use. */
  supportsModelDiscovery?: boolean

  supportedPlatforms: Platform[]
  requiresGitRepo: boolean
  requiresPty: boolean
  authMethods: AuthMethod[]
  authFiles: string[]
  installMethods: InstallMethod[]
  runtimeHooks?: Record<string, HookSupport>
  /** What the agent's output gives no sign of, so that no event can: a refusal looks like any answer, say. */
  unreported?: Unreported[]
  /** The same for one of its two forms only. */
  unreportedLive?: Unreported[]
  unreportedOneShot?: Unreported[]
  structuredSessionTransport?: 'persistent' | 'restart-per-turn' | 'none'
}
