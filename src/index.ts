/**
 * agent-mux: every command-line coding agent behind one contract.
 * @module
 */

export type { AdapterHost } from './adapters/base.ts'
export { BaseAgentAdapter } from './adapters/base.ts'
export type { Activity, ActivityState, EvidenceSource, Fact, Sign } from './contract/activity.ts'
export type {
  AdapterInstallOptions,
  AdapterUpdateOptions,
  AgentAdapter,
  DetectInstallationResult,
  EndpointPlan,
  InstallResult,
  Spawner,
} from './contract/adapter.ts'
export type { AuthMethod, AuthSetupGuidance, AuthState, AuthStatus } from './contract/auth.ts'
export type {
  AgentCapabilities,
  HookSupport,
  InstallMethod,
  Platform,
  PluginFormat,
  Unreported,
} from './contract/capabilities.ts'
export type { AgentConfig, AgentConfigSchema, ConfigField } from './contract/config.ts'
export type {
  Dialogue,
  DialogueCommand,
  DialogueExit,
  DialogueFactory,
  Effect,
  TurnFailure,
} from './contract/dialogue.ts'
export type { ErrorCode, FieldError } from './contract/errors.ts'
export {
  AgentMuxError,
  AuthError,
  CapabilityError,
  ERROR_CODES,
  isAgentMuxError,
  ValidationError,
} from './contract/errors.ts'
export type { AgentEventDraft, AgentEventDraftOf } from './contract/event-drafts.ts'
export type { CorrelationKey, EventGroup } from './contract/event-guards.ts'
export {
  AGENT_EVENT_TYPES,
  EVENT_GROUPS,
  filterEvents,
  hasCorrelationKey,
  isControlEvent,
  isCostEvent,
  isDebugEvent,
  isErrorEvent,
  isEventType,
  isFileEvent,
  isImageEvent,
  isInteractionEvent,
  isLimitEvent,
  isMcpEvent,
  isPluginEvent,
  isSessionEvent,
  isShellEvent,
  isSkillEvent,
  isSubagentEvent,
  isTerminalEvent,
  isTextEvent,
  isThinkingEvent,
  isToolEvent,
  isTurnEvent,
  serializeEvent,
  sumCost,
} from './contract/event-guards.ts'
export type * from './contract/events.ts'
export type {
  HookContext,
  HookEntry,
  HookFile,
  HookInstallation,
  HookPlan,
  HookReading,
  HookScope,
  LaunchHooks,
  OwnHookFile,
  SessionMetadata,
  SharedHookFile,
} from './contract/hooks.ts'
export type { AdapterManifest } from './contract/manifest.ts'
export type { CatalogEntry, ModelRefresh, ModelRegistry, ModelValidation } from './contract/model-registry.ts'
export type { ModelCapabilities } from './contract/models.ts'
export type { AgentName, BuiltInAgentName } from './contract/names.ts'
export type { ExitReason, Outcome, OutcomeKind } from './contract/outcome.ts'
export type { JsonSchema, OutputOf, OutputSchema, SchemaPair, StandardSchema } from './contract/output-schema.ts'
export type {
  InstalledPlugin,
  PluginBrowseOptions,
  PluginDetail,
  PluginInstallOptions,
  PluginListing,
  PluginManager,
  PluginSearchOptions,
} from './contract/plugins.ts'
export type { Policy, PolicyDecision, PolicyMatch, PolicyRule } from './contract/policy.ts'
export type { QuotaManager, QuotaStatus, QuotaWindow } from './contract/quota.ts'
export type { AdapterRegistry, AgentAdapterInfo, InstalledAgentInfo } from './contract/registry.ts'
export type { RestorePlan, SessionReference } from './contract/restore.ts'
export type {
  DeliveryTime,
  InteractionChannel,
  InteractionDetail,
  InteractionResponse,
  PendingInteraction,
  ResponseOptions,
  RunError,
  RunHandle,
  RunResult,
  RunState,
  TextStream,
} from './contract/run-handle.ts'
export type {
  ApprovalMode,
  Attachment,
  EndpointOverride,
  EndpointProtocol,
  InvocationMode,
  McpServerConfig,
  ModelPrice,
  OutputFormat,
  RetryPolicy,
  RunOptions,
  RunOptionsFor,
  SamplingOption,
  SystemPromptMode,
  ThinkingEffort,
} from './contract/run-options.ts'
export type {
  CostFigures,
  CostGroup,
  CostQuery,
  CostSummary,
  ExportFormat,
  Handoff,
  HandoffOptions,
  IndexProgress,
  Moment,
  RefreshOptions,
  Resumable,
  SessionDiff,
  SessionDiffOperation,
  SessionFilter,
  SessionListOptions,
  SessionManager,
  SessionSearchOptions,
  SessionWarning,
  SessionWatchOptions,
} from './contract/session-manager.ts'
export type { Session, SessionMessage, SessionSummary, SessionToolCall } from './contract/sessions.ts'
export type { ParseContext, RunFile, SpawnArgs } from './contract/spawn.ts'
export { StreamAssembler } from './contract/stream-assembler.ts'
export type { LaunchPlan, ScreenSign } from './contract/terminal.ts'
export type { CostRecord, ModelUsage, TokenUsage } from './contract/usage.ts'
export type { RunWorktree, WorktreeManager, WorktreeOptions } from './contract/worktrees.ts'
export type { AuthManager } from './mux/auth.ts'
export type { AgentMuxClient, ClientOptions } from './mux/client.ts'
export { createClient } from './mux/client.ts'
export type { ConfigManager } from './mux/config.ts'
export type { HostHarnessInfo } from './mux/detect-host.ts'
export type { ProfileEntry, ProfileScope, Profiles } from './mux/profiles.ts'
