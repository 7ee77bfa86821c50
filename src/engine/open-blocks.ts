import type { AgentEventDraft } from '../contract/event-drafts.ts'
import { extended } from '../core/extended.ts'

const NONE: AgentEventDraft[] = []

/** No agent works on so many calls at a time: one that starts more has lost track of the oldest. */
const MOST_OPEN_CALLS = 1000
const TOO_MANY = 'The agent has started too many other calls since, and this one had no result.'

const CUT_SHORT = 'The turn ended before this call had a result.'

interface OpenTool {
  toolName: string
  startedAt: number
  input: string
  /** Its input is still being written. */
  isPartial: boolean
}

/**
 * What has been started and not yet ended: the step, the message, the thinking, tool calls, shells and MCP calls.
 * Fills in what an adapter leaves open (accumulated text, durations, names), and knows how to end everything.
 */
export class OpenBlocks {
  #message: string | null = null
  #thinking: string | null = null
  #stepIsOpen = false
  #stepIndex = -1
  readonly #tools = new Map<string, OpenTool>()
  /** When each shell was started, by its tool call; one that belongs to none goes by ''. */
  readonly #shells = new Map<string, number>()
  /** Approvals that wait for an answer, with the call that each is about, and since when. */
  readonly #waits = new Map<string, { toolCallId: string; since: number }>()
  readonly #mcpCalls = new Map<string, { server: string; toolName: string }>()

  /** What has been said of the message that is not ended yet. */
  get message(): string | null {
    return this.#message
  }

  /** Starts what is open already, or ends what is not. */
  isSuperfluous(draft: AgentEventDraft): boolean {
    if (draft.type === 'tool_call_start') return this.#tools.has(draft.toolCallId)
    if (draft.type === 'mcp_tool_call_start') return this.#mcpCalls.has(draft.toolCallId)
    return draft.type === 'step_end' && !this.#stepIsOpen
  }

  /** Drafts that must come before this one so that starts and stops pair up. */
  before(draft: AgentEventDraft): AgentEventDraft[] {
    switch (draft.type) {
      case 'message_start':
        return this.#endSpeech()
      case 'text_delta':
      case 'message_stop':
        return this.#message === null ? [...this.#endThinking(), { type: 'message_start' }] : NONE
      case 'thinking_start':
        return this.#endSpeech()
      case 'thinking_delta':
      case 'thinking_stop':
        return this.#thinking === null ? [...this.#endMessage(), { type: 'thinking_start' }] : NONE
      case 'tool_call_start':
        return [...this.#endSpeech(), ...this.#endOldestCall()]
      case 'mcp_tool_call_start':
        return this.#endOldestMcpCall()
      case 'tool_call_ready':
        return this.#tools.has(draft.toolCallId)
          ? NONE
          : [
              ...this.#endSpeech(),
              ...this.#endOldestCall(),
              {
                type: 'tool_call_start',
                toolCallId: draft.toolCallId,
                toolName: draft.toolName,
                parentToolCallId: draft.parentToolCallId,
              },
            ]
      case 'tool_result':
        return [...this.#endShell(draft.toolCallId), ...this.#endMcpCall(draft.toolCallId, { output: draft.output })]
      case 'tool_error':
        return [...this.#endShell(draft.toolCallId), ...this.#endMcpCall(draft.toolCallId, { error: draft.error })]
      case 'shell_start':
        return this.#endShell(draft.toolCallId)
      case 'step_start':
        return this.#endStep()
      default:
        return NONE
    }
  }

  /** Adds to the open message or thinking and gives all of it so far; null when none is open. */
  extend(type: 'text_delta' | 'thinking_delta', delta: string): string | null {
    if (type === 'text_delta') {
      if (this.#message === null) return null
      this.#message = extended(this.#message, delta)
      return this.#message
    }
    if (this.#thinking === null) return null
    this.#thinking = extended(this.#thinking, delta)
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
        this.#tools.set(draft.toolCallId, { toolName: draft.toolName, startedAt: now, input: '', isPartial: true })
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
        if (tool) {
          tool.startedAt = now
          tool.isPartial = false
        }
        break
      }
      case 'approval_request':
        if (draft.toolCallId !== undefined) {
          this.#waits.set(draft.interactionId, { toolCallId: draft.toolCallId, since: now })
        }
        break
      case 'input_required': {
        // A question does not name its call: with several at work nobody knows whose it is.
        const [toolCallId, ...others] = this.#tools.keys()
        if (toolCallId !== undefined && others.length === 0) {
          this.#waits.set(draft.interactionId, { toolCallId, since: now })
        }
        break
      }
      case 'approval_granted':
      case 'approval_denied':
        this.endWait(draft.interactionId, now)
        break
      case 'shell_start':
        this.#shells.set(draft.toolCallId ?? '', now)
        break
      case 'shell_exit':
        draft.durationMs ??= now - (this.#shells.get(draft.toolCallId ?? '') ?? now)
        this.#shells.delete(draft.toolCallId ?? '')
        break
      case 'mcp_tool_call_start':
        this.#mcpCalls.set(draft.toolCallId, { server: draft.server, toolName: draft.toolName })
        break
      case 'mcp_tool_result':
      case 'mcp_tool_error':
        this.#mcpCalls.delete(draft.toolCallId)
        break
      case 'step_start':
        this.#stepIsOpen = true
        this.#stepIndex += 1
        draft.stepIndex = this.#stepIndex
        break
      case 'step_end':
        this.#stepIsOpen = false
        draft.stepIndex = this.#stepIndex
        break
      case 'tool_result':
      case 'tool_error': {
        const tool = this.#tools.get(draft.toolCallId)
        if (draft.type === 'tool_result') draft.durationMs ??= tool ? now - tool.startedAt : 0
        draft.toolName ||= tool?.toolName ?? ''
        this.#tools.delete(draft.toolCallId)
      }
    }
  }

  /** The time that a call takes leaves out the wait for an answer. */
  endWait(interactionId: string, now: number): void {
    const wait = this.#waits.get(interactionId)
    if (wait === undefined) return
    this.#waits.delete(interactionId)
    // Of several requests about one call, the time that they wait together counts once.
    for (const other of this.#waits.values()) if (other.toolCallId === wait.toolCallId) other.since = now
    const later = (start: number) => start + now - Math.max(start, wait.since)
    const tool = this.#tools.get(wait.toolCallId)
    if (tool) tool.startedAt = later(tool.startedAt)
    const shell = this.#shells.get(wait.toolCallId)
    if (shell !== undefined) this.#shells.set(wait.toolCallId, later(shell))
  }

  startTurn(): void {
    this.#waits.clear()
    this.#stepIndex = -1
  }

  /** Ends everything that is open, as at the end of a turn. */
  endAll(why = CUT_SHORT): AgentEventDraft[] {
    const drafts = [...this.#endSpeech()]
    for (const toolCallId of this.#shells.keys()) drafts.push(...this.#endShell(toolCallId))
    for (const toolCallId of this.#mcpCalls.keys()) drafts.push(...this.#endMcpCall(toolCallId, { error: why }))
    for (const [toolCallId, { toolName }] of this.#tools) {
      drafts.push({ type: 'tool_error', toolCallId, toolName, error: why })
    }
    drafts.push(...this.#endStep())
    return drafts
  }

  /** Ends what the model has not finished writing. Calls that run already are left alone. */
  endPartial(why: string): AgentEventDraft[] {
    const drafts = [...this.#endSpeech()]
    for (const [toolCallId, { toolName, isPartial }] of this.#tools) {
      if (isPartial) drafts.push({ type: 'tool_error', toolCallId, toolName, error: why })
    }
    return drafts
  }

  #endShell(toolCallId = ''): AgentEventDraft[] {
    if (!this.#shells.has(toolCallId)) return NONE
    return [{ type: 'shell_exit', exitCode: -1, ...(toolCallId === '' ? {} : { toolCallId }) }]
  }

  #endMcpCall(toolCallId: string, end: { error: string } | { output: unknown }): AgentEventDraft[] {
    const call = this.#mcpCalls.get(toolCallId)
    if (!call) return NONE
    return 'error' in end
      ? [{ type: 'mcp_tool_error', toolCallId, ...call, ...end }]
      : [{ type: 'mcp_tool_result', toolCallId, ...call, ...end }]
  }

  /** Makes room for one more. */
  #endOldestCall(): AgentEventDraft[] {
    if (this.#tools.size < MOST_OPEN_CALLS) return NONE
    for (const [toolCallId, { toolName }] of this.#tools) {
      const within = [...this.#endShell(toolCallId), ...this.#endMcpCall(toolCallId, { error: TOO_MANY })]
      return [...within, { type: 'tool_error', toolCallId, toolName, error: TOO_MANY }]
    }
    return NONE
  }

  #endOldestMcpCall(): AgentEventDraft[] {
    if (this.#mcpCalls.size < MOST_OPEN_CALLS) return NONE
    for (const toolCallId of this.#mcpCalls.keys()) return this.#endMcpCall(toolCallId, { error: TOO_MANY })
    return NONE
  }

  #endStep(): AgentEventDraft[] {
    return this.#stepIsOpen ? [{ type: 'step_end' }] : NONE
  }

  /** Of thinking and message, whichever is open. */
  #endSpeech(): AgentEventDraft[] {
    if (this.#message === null) return this.#endThinking()
    return this.#thinking === null ? this.#endMessage() : [...this.#endThinking(), ...this.#endMessage()]
  }

  #endMessage(): AgentEventDraft[] {
    return this.#message === null ? NONE : [{ type: 'message_stop', text: '' }]
  }

  #endThinking(): AgentEventDraft[] {
    return this.#thinking === null ? NONE : [{ type: 'thinking_stop', thinking: '' }]
  }
}
