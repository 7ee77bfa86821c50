import type { AgentName } from './names.ts'
import type { CostRecord, CostSource, TokenUsage } from './usage.ts'

/** A tool call in a stored message. */
export interface SessionToolCall {
  toolCallId: string
  toolName: string
  input: unknown
  output?: unknown
  durationMs?: number
}

/** One message of a stored session. */
export interface SessionMessage {
  role: 'user' | 'assistant' | 'system' | 'tool'
  content: string
  timestamp?: number
  toolCalls?: SessionToolCall[]
  toolResult?: { toolCallId: string; toolName: string; output: unknown }
  tokenUsage?: TokenUsage
  cost?: CostRecord
  thinking?: string
  model?: string
}

/** What the daemon calls the managed session that holds a conversation. */
export interface ManagedLink {
  id: string
  name: string | null
}

interface SessionIdentity {
  agent: AgentName
  sessionId: string
  /** `<agent>:<sessionId>` */
  unifiedId: string
  /** The first user text, at most 100 characters. */
  title: string
  createdAt: number
  updatedAt: number
  turnCount: number
  model?: string
  cost?: CostRecord
  tags: string[]
  cwd?: string
  forkedFrom?: string
  /** The session, by its unified id, that was handed off to this one. */
  continuedFrom?: string
  /** Sessions, by their unified ids, that were made from this one by us. */
  continuedIn?: string[]
  /** The managed session that it is the conversation of. */
  managed?: ManagedLink
}

/** A stored session in a list. */
export interface SessionSummary extends SessionIdentity {
  messageCount: number
  /** Both are known when everything has been read; sub-agents are included. */
  costSource?: CostSource
  tokenUsage?: TokenUsage
  relevanceScore?: number
}

/** An agent's own conversation, as that agent keeps it. */
export interface Session extends SessionIdentity {
  /** The agent's own title or summary of the conversation; where it has none, the same as `title`. */
  summary?: string
  /** `summary` is only the first words of the user. */
  summaryIsFallback?: boolean
  messages: SessionMessage[]
  tokenUsage?: TokenUsage
  raw?: unknown
}
