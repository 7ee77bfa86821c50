import type { ToolCallContent, ToolKind } from '@agentclientprotocol/sdk/unstable'
import type { HostRequest } from '../../../contract/dialogue.ts'
import type { AgentName } from '../../../contract/names.ts'
import type { RunOptions } from '../../../contract/run-options.ts'
import type { JsonRecord } from '../../../core/json.ts'
import { emptyUsage, type UsageCounts } from '../../../core/usage.ts'
import { OpenCalls } from '../../kit/open-calls.ts'
import type { AcpProfile } from './profile.ts'
import type { Native } from './rpc.ts'

export type RequestId = string | number

/** How a session is opened. */
export type Opening = 'new' | 'load' | 'resume' | 'fork'

/** A request of ours that the agent has not answered yet. */
export type SentRequest =
  | { kind: 'initialize' | 'authenticate' | 'prompt' | 'other' }
  | { kind: 'session'; opening: Opening; sessionId?: string }
  | { kind: 'setup'; what: string; model?: string }

/** Something to set in the session before its first turn, or between two. */
export type SetupStep =
  | { type: 'mode'; modeId: string }
  | { type: 'model'; modelId: string }
  | { type: 'option'; configId: string; value: string; what: string }

/** What became of a prompt. */
export type PromptAnswer = { result: JsonRecord } | { error: unknown }

/** A request of the agent that waits for its answer. */
export type PendingRequest =
  | { kind: 'permission'; id: RequestId; toolCallId: string; options: JsonRecord[] }
  | { kind: 'form'; id: RequestId; schema: JsonRecord }
  | { kind: 'host'; id: RequestId; request: HostRequest }

/** One tool call, as far as the agent has reported it. */
export interface Tool {
  readonly toolCallId: string
  readonly toolName: string
  kind: ToolKind
  title: string
  input: unknown
  /** The input as far as it was shown, from agents that send it only once the call runs. */
  shownInput: JsonRecord | undefined
  /** It was informed that there is none. */
  isEmptyInput: boolean
  output: unknown
  content: Native<ToolCallContent>[]
  paths: string[]
  /** What its terminal has printed, where the agent reports that as it comes. */
  streamed: string
  exitCode: number | undefined
  isReady: boolean
  isDone: boolean
  /** Somebody has allowed it. */
  isGranted: boolean
  /** Somebody has refused it. */
  isRefused: boolean
}

/** What one dialogue knows. The functions in the sibling files read and change it. */
export interface AcpState {
  readonly agent: AgentName
  readonly profile: AcpProfile
  readonly options: RunOptions
  /** We talk to an agent. False in a recording. */
  live: boolean
  /** A recording of both directions: what was asked is known. */
  bothSides: boolean
  requestCount: number
  readonly sent: Map<RequestId, SentRequest>
  readonly pending: Map<string, PendingRequest>
  /** Host requests under way, by our own name for them. */
  readonly hostRequests: Map<string, { id: RequestId | undefined; request: HostRequest }>
  hostCount: number

  // The agent.
  capabilities: JsonRecord
  authMethods: JsonRecord[]
  triedAuth: boolean

  // The session.
  sessionId: string | undefined
  sessionOpen: boolean
  modes: JsonRecord | undefined
  models: JsonRecord | undefined
  configOptions: JsonRecord[]
  model: string | undefined
  readonly setup: SetupStep[]
  /** History is being sent; it is not part of this run. */
  replaying: boolean
  /** MCP servers of this run are still being connected. */
  connecting: boolean

  // The turn.
  readonly queued: string[]
  isFirstTurn: boolean
  turnOpen: boolean
  interrupted: boolean
  closing: boolean
  /** The last turn has its verdict: however the process exits now, that is kept. */
  settled: boolean
  messageId: string | undefined
  /** The model has said something since the turn or its last tool call began. */
  isSpeaking: boolean
  errorText: string | undefined
  /** The prompt of the turn, and what was said last in it. */
  prompt: string
  lastWords: string
  retryCount: number
  /** The answer to the prompt, while the agent's own record of the turn is read. */
  answer: PromptAnswer | undefined
  readonly tools: Map<string, Tool>
  /** Kinds of calls that somebody has allowed for good. */
  readonly alwaysGranted: Set<string>
  planCount: number

  /** The turn in the agent's own record that was read last. */
  recordedTurn: string | undefined
  recordTries: number

  // Usage.
  usageSeen: boolean
  usageTotal: UsageCounts
  /** What the agent counts since its process or its session began, where it does so. */
  reported: UsageCounts
  /** It is known what the session had used before this run. */
  isSessionCounted: boolean
  /** What the requests of the running turn have reported, one by one. */
  reportedInTurn: UsageCounts
  /** What the session had cost before this run, and what this run has cost so far, in dollars. */
  priorCost: number
  spent: number | undefined
  context: { used: number; max: number }

  /** The last output and exit of each terminal that the agent has through us. */
  readonly terminals: Map<string, { output: string; exitCode: number | null }>
  terminalCount: number
}

function noCounts(): UsageCounts {
  const { totalTokens: _total, ...counts } = emptyUsage()
  return counts
}

export function createState(agent: AgentName, profile: AcpProfile, options: RunOptions): AcpState {
  return {
    agent,
    profile,
    options,
    live: false,
    bothSides: false,
    requestCount: 0,
    sent: new Map(),
    pending: new Map(),
    hostRequests: new Map(),
    hostCount: 0,
    capabilities: {},
    authMethods: [],
    triedAuth: false,
    sessionId: undefined,
    sessionOpen: false,
    modes: undefined,
    models: undefined,
    configOptions: [],
    model: undefined,
    setup: [],
    replaying: false,
    connecting: profile.mcpReady !== undefined && (options.mcpServers?.length ?? 0) > 0,
    queued: [],
    isFirstTurn: true,
    turnOpen: false,
    interrupted: false,
    closing: false,
    settled: false,
    messageId: undefined,
    isSpeaking: false,
    errorText: undefined,
    prompt: '',
    lastWords: '',
    answer: undefined,
    retryCount: 0,
    tools: new OpenCalls(),
    alwaysGranted: new Set(),
    planCount: 0,
    recordedTurn: undefined,
    recordTries: 0,
    usageSeen: false,
    usageTotal: noCounts(),
    reported: noCounts(),
    isSessionCounted: false,
    reportedInTurn: noCounts(),
    priorCost: 0,
    spent: undefined,
    context: { used: 0, max: 0 },
    terminals: new Map(),
    terminalCount: 0,
  }
}

/** Forgets what belongs to the turn that has ended. */
export function forgetTurn(state: AcpState): void {
  state.turnOpen = false
  state.interrupted = false
  state.settled = true
  state.messageId = undefined
  state.isSpeaking = false
  state.errorText = undefined
  state.lastWords = ''
  state.answer = undefined
  state.recordTries = 0
  state.retryCount = 0
  state.usageSeen = false
  state.reportedInTurn = noCounts()
  state.pending.clear()
  state.tools.clear()
}

/**
 * What is reported now belongs to a turn of this run. What was asked is not known in a recording of the agent alone.
 */
export function isInTurn(state: AcpState): boolean {
  return state.live || state.bothSides ? state.turnOpen : !state.replaying
}
