import type { AgentEventDraft } from '../contract/event-drafts.ts'

const NONE: AgentEventDraft[] = []

interface OpenTool {
  toolName: string
  startedAt: number
  input: string
  shellSince: number | null
}

/**
 * What has been started and not yet ended: the message, the thinking, tool calls and their shells. Fills in what
 * an adapter leaves open (accumulated text, durations, names), and knows how to end everything.
 */
export class OpenBlocks {
  #message: string | null = null
  #thinking: string | null = null
  readonly #tools = new Map<string, OpenTool>()

  /** Drafts that must come before this one so that starts and stops pair up. */
  before(draft: AgentEventDraft): AgentEventDraft[] {
    switch (draft.type) {
      case 'message_start':
        return [...this.#endThinking(), ...this.#endMessage()]
      case 'text_delta':
      case 'message_stop':
        return this.#message === null ? [...this.#endThinking(), { type: 'message_start' }] : NONE
      case 'thinking_start':
        return [...this.#endThinking(), ...this.#endMessage()]
      case 'thinking_delta':
      case 'thinking_stop':
        return this.#thinking === null ? [...this.#endMessage(), { type: 'thinking_start' }] : NONE
      case 'tool_call_start':
        return [...this.#endThinking(), ...this.#endMessage()]
      case 'tool_call_ready':
        return this.#tools.has(draft.toolCallId)
          ? NONE
          : [
              ...this.#endThinking(),
              ...this.#endMessage(),
              {
                type: 'tool_call_start',
                toolCallId: draft.toolCallId,
                toolName: draft.toolName,
                parentToolCallId: draft.parentToolCallId,
              },
            ]
      default:
        return NONE
    }
  }

  /** Adds to the open message or thinking and gives all of it so far; null when none is open. */
  extend(type: 'text_delta' | 'thinking_delta', delta: string): string | null {
    if (type === 'text_delta') {
      if (this.#message === null) return null
      this.#message += delta
      return this.#message
    }
    if (this.#thinking === null) return null
    this.#thinking += delta
    return this.#thinking
  }

  /** Fills the draft and takes note of it. */
  apply(draft: AgentEventDraft, now: number): void {
    switch (draft.type) {
      case 'message_start':
        this.#message = ''
        break
      case 'text_delta':
        this.#message = (this.#message ?? '') + draft.delta
        draft.accumulated = this.#message
        break
      case 'message_stop':
        draft.text ||= this.#message ?? ''
        this.#message = null
        break
      case 'thinking_start':
        this.#thinking = ''
        break
      case 'thinking_delta':
        this.#thinking = (this.#thinking ?? '') + draft.delta
        draft.accumulated = this.#thinking
        break
      case 'thinking_stop':
        draft.thinking ||= this.#thinking ?? ''
        this.#thinking = null
        break
      case 'tool_call_start':
        this.#tools.set(draft.toolCallId, { toolName: draft.toolName, startedAt: now, input: '', shellSince: null })
        break
      case 'tool_input_delta': {
        const tool = this.#tools.get(draft.toolCallId)
        if (tool) {
          tool.input += draft.delta
          draft.inputAccumulated = tool.input
        }
        break
      }
      case 'tool_call_ready': {
        // The time a tool takes counts from when its input is whole.
        const tool = this.#tools.get(draft.toolCallId)
        if (tool) tool.startedAt = now
        break
      }
      case 'shell_start': {
        const tool = draft.toolCallId === undefined ? undefined : this.#tools.get(draft.toolCallId)
        if (tool) tool.shellSince = now
        break
      }
      case 'shell_exit': {
        const tool = draft.toolCallId === undefined ? undefined : this.#tools.get(draft.toolCallId)
        if (tool) {
          draft.durationMs ??= now - (tool.shellSince ?? now)
          tool.shellSince = null
        }
        break
      }
      case 'tool_result':
      case 'tool_error': {
        const tool = this.#tools.get(draft.toolCallId)
        if (draft.type === 'tool_result') draft.durationMs ??= tool ? now - tool.startedAt : 0
        draft.toolName ||= tool?.toolName ?? ''
        this.#tools.delete(draft.toolCallId)
      }
    }
  }

  /** Ends everything that is open, as at the end of a turn. */
  endAll(): AgentEventDraft[] {
    const drafts = [...this.#endThinking(), ...this.#endMessage()]
    for (const [toolCallId, { toolName, shellSince }] of this.#tools) {
      if (shellSince !== null) drafts.push({ type: 'shell_exit', exitCode: -1, toolCallId })
      drafts.push({ type: 'tool_error', toolCallId, toolName, error: 'The turn ended before this call had a result.' })
    }
    return drafts
  }

  #endMessage(): AgentEventDraft[] {
    return this.#message === null ? [] : [{ type: 'message_stop', text: '' }]
  }

  #endThinking(): AgentEventDraft[] {
    return this.#thinking === null ? [] : [{ type: 'thinking_stop', thinking: '' }]
  }
}
