import type { AgentEventDraft } from '../contract/event-drafts.ts'
import type { SessionMessage, SessionToolCall } from '../contract/sessions.ts'
import type { TokenUsage } from '../contract/usage.ts'

/** An event, and when the agent wrote what it tells. */
export interface TimedDraft {
  draft: AgentEventDraft
  at: number | undefined
}

/** What has been told of a message: it may still grow. */
interface Told {
  content: string
  thinking: string
  calls: Set<string>
  results: Set<string>
  usage: TokenUsage | undefined
}

const nothing = (): Told => ({ content: '', thinking: '', calls: new Set(), results: new Set(), usage: undefined })

/** Turns a conversation that grows into events: each look at it tells what is new since the look before. */
export class MessageEvents {
  #told: Told[] = []
  #turnOpen = false

  /** Takes these messages for known, so that only what follows is told. */
  skip(messages: readonly SessionMessage[]): void {
    this.look(messages)
    this.#turnOpen = false
  }

  /** The first messages have left our view; what was told of the others stays told. */
  forget(count: number): void {
    this.#told.splice(0, count)
  }

  /** The conversation was written anew: what begins as it did before stays told. */
  rewritten(messages: readonly SessionMessage[]): void {
    let same = 0
    while (same < messages.length && this.#told[same]?.content === messages[same]?.content) same += 1
    this.#told.splice(same)
  }

  look(messages: readonly SessionMessage[]): TimedDraft[] {
    const events: TimedDraft[] = []
    for (const [i, message] of messages.entries()) {
      const told = this.#told[i] ?? nothing()
      this.#told[i] = told
      const drafts = message.role === 'user' ? this.#user(message, told) : this.#other(message, told)
      for (const draft of drafts) events.push({ draft, at: message.timestamp })
    }
    return events
  }

  #user({ content }: SessionMessage, told: Told): AgentEventDraft[] {
    if (content === '' || told.content !== '') return []
    told.content = content
    const before: AgentEventDraft[] = this.#turnOpen ? [{ type: 'turn_end' }] : []
    this.#turnOpen = true
    return [...before, { type: 'turn_start', prompt: content }]
  }

  #other({ role, content, thinking = '', toolCalls = [], toolResult, ...rest }: SessionMessage, told: Told) {
    const drafts: AgentEventDraft[] = []
    if (role === 'assistant') {
      const thought = newPart(told.thinking, thinking)
      if (thought !== '') drafts.push({ type: 'thinking_start' }, { type: 'thinking_delta', delta: thought })
      if (thought !== '') drafts.push({ type: 'thinking_stop', thinking: thought })
      const said = newPart(told.content, content)
      if (said !== '') drafts.push({ type: 'message_start' }, { type: 'text_delta', delta: said })
      if (said !== '') drafts.push({ type: 'message_stop', text: said })
      told.thinking = thinking
      told.content = content
    }
    for (const call of toolCalls) drafts.push(...toolDrafts(call, told))
    if (toolResult && !told.results.has(toolResult.toolCallId)) {
      told.results.add(toolResult.toolCallId)
      drafts.push({ type: 'tool_result', ...toolResult })
    }
    const usage = usageSince(told.usage, rest.tokenUsage)
    if (usage) drafts.push({ type: 'token_usage', ...usage, model: rest.model })
    told.usage = rest.tokenUsage ?? told.usage
    if (drafts.length > 0) this.#turnOpen = true
    return drafts
  }
}

/** What was added at the end; all of it when the text has become another one. */
function newPart(before: string, now: string): string {
  if (now === before) return ''
  return now.startsWith(before) ? now.slice(before.length) : now
}

function toolDrafts({ toolCallId, toolName, input, output, durationMs }: SessionToolCall, told: Told) {
  const drafts: AgentEventDraft[] = []
  if (!told.calls.has(toolCallId)) {
    told.calls.add(toolCallId)
    drafts.push(
      { type: 'tool_call_start', toolCallId, toolName },
      { type: 'tool_call_ready', toolCallId, toolName, input },
    )
  }
  if (output !== undefined && !told.results.has(toolCallId)) {
    told.results.add(toolCallId)
    drafts.push({ type: 'tool_result', toolCallId, toolName, output, durationMs })
  }
  return drafts
}

const COUNTS = ['inputTokens', 'outputTokens', 'thinkingTokens', 'cacheReadTokens', 'cacheCreationTokens'] as const

/** Counts of a message are told anew as it grows; only the difference is news. Null: no news. */
function usageSince(before: TokenUsage | undefined, now: TokenUsage | undefined) {
  if (!now) return null
  const since = { ...now }
  for (const name of COUNTS) since[name] = Math.max(0, now[name] - (before?.[name] ?? 0))
  const { inputTokens, outputTokens, thinkingTokens, cacheReadTokens, cacheCreationTokens } = since
  if (inputTokens + outputTokens === 0) return null
  return {
    inputTokens,
    outputTokens,
    thinkingTokens,
    cacheReadTokens,
    cacheCreationTokens,
    cachedTokens: cacheReadTokens,
  }
}
