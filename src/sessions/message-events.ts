import type { AgentEventDraft } from '../contract/event-drafts.ts'
import type { SessionMessage, SessionToolCall } from '../contract/sessions.ts'
import type { TokenUsage } from '../contract/usage.ts'

/** An event, and when the agent wrote its content. */
export interface TimedDraft {
  draft: AgentEventDraft
  at: number | undefined
}

/** What has been emitted of a message, which may still grow. */
interface Emitted {
  content: string
  thinking: string
  calls: Set<string>
  results: Set<string>
  usage: TokenUsage | undefined
}

const nothing = (): Emitted => ({ content: '', thinking: '', calls: new Set(), results: new Set(), usage: undefined })

/** Turns a conversation that grows into events: each look gives what is new since the one before. */
export class MessageEvents {
  #emitted: Emitted[] = []
  #turnOpen = false

  /** Marks these messages as known, so that only what follows is emitted. */
  skip(messages: readonly SessionMessage[]): void {
    this.look(messages)
    this.#turnOpen = false
  }

  /** The first messages have left our view; what was emitted of the others stays emitted. */
  forget(count: number): void {
    this.#emitted.splice(0, count)
  }

  /** The conversation was rewritten: what begins as before stays emitted. */
  rewritten(messages: readonly SessionMessage[]): void {
    let same = 0
    while (same < messages.length && this.#emitted[same]?.content === messages[same]?.content) same += 1
    this.#emitted.splice(same)
  }

  look(messages: readonly SessionMessage[]): TimedDraft[] {
    const events: TimedDraft[] = []
    for (const [i, message] of messages.entries()) {
      const reported = this.#emitted[i] ?? nothing()
      this.#emitted[i] = reported
      const drafts = message.role === 'user' ? this.#user(message, reported) : this.#other(message, reported)
      for (const draft of drafts) events.push({ draft, at: message.timestamp })
    }
    return events
  }

  #user({ content }: SessionMessage, reported: Emitted): AgentEventDraft[] {
    if (content === '' || reported.content !== '') return []
    reported.content = content
    const before: AgentEventDraft[] = this.#turnOpen ? [{ type: 'turn_end' }] : []
    this.#turnOpen = true
    return [...before, { type: 'turn_start', prompt: content }]
  }

  #other({ role, content, thinking = '', toolCalls = [], toolResult, ...rest }: SessionMessage, reported: Emitted) {
    const drafts: AgentEventDraft[] = []
    if (role === 'assistant') {
      const thought = newPart(reported.thinking, thinking)
      if (thought !== '') drafts.push({ type: 'thinking_start' }, { type: 'thinking_delta', delta: thought })
      if (thought !== '') drafts.push({ type: 'thinking_stop', thinking: thought })
      const said = newPart(reported.content, content)
      if (said !== '') drafts.push({ type: 'message_start' }, { type: 'text_delta', delta: said })
      if (said !== '') drafts.push({ type: 'message_stop', text: said })
      reported.thinking = thinking
      reported.content = content
    }
    for (const call of toolCalls) drafts.push(...toolDrafts(call, reported))
    if (toolResult && !reported.results.has(toolResult.toolCallId)) {
      reported.results.add(toolResult.toolCallId)
      drafts.push({ type: 'tool_result', ...toolResult })
    }
    const usage = usageSince(reported.usage, rest.tokenUsage)
    if (usage) drafts.push({ type: 'token_usage', ...usage, model: rest.model })
    reported.usage = rest.tokenUsage ?? reported.usage
    if (drafts.length > 0) this.#turnOpen = true
    return drafts
  }
}

/** What was added at the end; all of it when the text has become another one. */
function newPart(before: string, now: string): string {
  if (now === before) return ''
  return now.startsWith(before) ? now.slice(before.length) : now
}

function toolDrafts({ toolCallId, toolName, input, output, durationMs }: SessionToolCall, reported: Emitted) {
  const drafts: AgentEventDraft[] = []
  if (!reported.calls.has(toolCallId)) {
    reported.calls.add(toolCallId)
    drafts.push(
      { type: 'tool_call_start', toolCallId, toolName },
      { type: 'tool_call_ready', toolCallId, toolName, input },
    )
  }
  if (output !== undefined && !reported.results.has(toolCallId)) {
    reported.results.add(toolCallId)
    drafts.push({ type: 'tool_result', toolCallId, toolName, output, durationMs })
  }
  return drafts
}

const COUNTS = ['inputTokens', 'outputTokens', 'thinkingTokens', 'cacheReadTokens', 'cacheCreationTokens'] as const

/** Counts of a message are reported again as it grows; only the difference is news. Null: no news. */
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
