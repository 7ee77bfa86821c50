import type { AgentEventDraft } from '../contract/event-drafts.ts'
import { isTerminalEvent } from '../contract/event-guards.ts'
import type { AgentEvent } from '../contract/events.ts'
import type { AgentName } from '../contract/names.ts'
import { completeDraft, ownDraft } from '../core/complete-draft.ts'
import { OpenBlocks } from './open-blocks.ts'
import { RunTotals } from './run-totals.ts'

export interface NormaliserOptions {
  runId: string
  agent: AgentName
  now: () => number
  /** False: the text of a message comes in one piece at its end. */
  stream: boolean
  sessionId?: string
}

/** Events that belong to the session or to us, not to a turn. */
const OUTSIDE_TURNS: ReadonlySet<string> = new Set([
  ...['session_start', 'session_resume', 'session_fork', 'session_checkpoint', 'session_end', 'turn_start', 'turn_end'],
  ...['debug', 'log', 'cost', 'token_usage', 'rate_limited', 'retry', 'stream_fallback', 'error', 'rate_limit_error'],
  ...[
    'interrupted',
    'aborted',
    'paused',
    'resumed',
    'timeout',
    'turn_limit',
    'auth_error',
    'context_exceeded',
    'crash',
  ],
  // A sub-agent in the background may end when it likes.
  ...['subagent_result', 'subagent_error'],
  ...['plugin_loaded', 'skill_loaded', 'agentdoc_read', 'context_compacted', 'context_limit_warning'],
])

/**
 * Adapters say what happened; this makes it keep the promises of the contract: stamps and a clock that never goes
 * back, `session_start` first and `session_end` last, turns one after another, every start with its stop, and at
 * most one terminal event. Synchronous and without I/O, so a replay gives the same events as the run.
 */
export class Normaliser {
  readonly totals = new RunTotals()
  readonly #options: NormaliserOptions
  readonly #blocks = new OpenBlocks()
  readonly #stamp: { runId: string; agent: AgentName; timestamp: number }
  #sessionStarted = false
  #turnOpen = false
  #turnExpected = true
  #turnIndex = -1
  #terminal = false
  #ended = false

  constructor(options: NormaliserOptions) {
    this.#options = options
    this.#stamp = { runId: options.runId, agent: options.agent, timestamp: 0 }
  }

  get turnIndex(): number {
    return Math.max(0, this.#turnIndex)
  }

  /** The agent has been asked something, so that an end of a turn without anything in it is one, too. */
  expectTurn(): void {
    this.#turnExpected = true
  }

  /** Appends to `out` the events that this draft leads to; usually just itself. */
  accept(given: AgentEventDraft, out: AgentEvent[]): void {
    this.#tick()
    const { type } = given
    const isDelta = type === 'text_delta' || type === 'thinking_delta'
    if (isDelta && this.#acceptDelta(given, out)) return
    // A copy, because it becomes the event: an adapter may say the same thing twice with one constant.
    const draft: AgentEventDraft = isDelta ? given : ownDraft(given, this.#stamp)
    if (type === 'debug' || type === 'log') this.#emit(draft, out)
    else if (!this.#terminal && !this.#ended) this.#acceptInOrder(draft, out)
  }

  /** The end of the run: everything open is closed and the session ended. */
  finish(terminal: AgentEventDraft | null, out: AgentEvent[]): void {
    if (this.#ended) return
    this.#tick()
    if (terminal) this.accept(terminal, out)
    if (!this.#sessionStarted) this.#startSession(this.#impliedSession(), out)
    this.#endTurn({ type: 'turn_end' }, out)
    const { sessionId, turnCount, cost } = this.totals
    this.#emit({ type: 'session_end', sessionId: sessionId ?? '', turnCount, cost: cost ?? undefined }, out)
    this.#ended = true
  }

  #acceptInOrder(draft: AgentEventDraft, out: AgentEvent[]): void {
    if (!this.#sessionStarted && draft.type !== 'session_start') this.#startSession(this.#impliedSession(draft), out)
    switch (draft.type) {
      case 'session_start':
        this.#startSession(draft, out)
        return
      case 'session_end':
        // Ours comes when the process has ended; what the agent's tells is kept for it.
        this.totals.sessionId ??= draft.sessionId || null
        this.totals.cost ??= draft.cost ?? null
        this.#endTurn({ type: 'turn_end' }, out)
        return
      case 'turn_start':
        this.#startTurn(draft, out)
        return
      case 'turn_end':
        if (this.#turnExpected) this.#startTurn({ type: 'turn_start' }, out)
        this.#endTurn(draft, out)
        return
    }
    if (isTerminalEvent(draft)) {
      this.#endTurn({ type: 'turn_end' }, out)
      this.#terminal = true
      this.#emit(draft, out)
      return
    }
    if (!this.#turnOpen && !OUTSIDE_TURNS.has(draft.type)) this.#startTurn({ type: 'turn_start' }, out)
    if (this.#blocks.isSuperfluous(draft)) return
    for (const earlier of this.#blocks.before(draft)) this.#emitBlock(ownDraft(earlier, this.#stamp), out)
    if (draft.type !== 'text_delta' && draft.type !== 'thinking_delta') this.#emitBlock(draft, out)
    else if (!this.#acceptDelta(draft, out)) this.#emitBlock({ ...draft }, out)
  }

  /**
   * Nearly all events of a stream are deltas of an open block. They take the shortest way: one object of its final
   * shape, because growing the draft field by field costs more than parsing its line.
   */
  #acceptDelta(draft: AgentEventDraft & { type: 'text_delta' | 'thinking_delta' }, out: AgentEvent[]): boolean {
    if (!this.#turnOpen || this.#terminal || !this.#options.stream) return false
    const { type, delta, raw } = draft
    const accumulated = this.#blocks.extend(type, delta)
    if (accumulated === null) return false
    const { runId, agent, timestamp } = this.#stamp
    const event: AgentEvent = { type, runId, agent, timestamp, delta, accumulated }
    if (raw !== undefined) event.raw = raw
    this.totals.count(type)
    out.push(event)
    return true
  }

  #impliedSession(draft?: AgentEventDraft): AgentEventDraft & { type: 'session_start' } {
    const resumed = this.#options.sessionId
    if (draft?.type === 'session_resume' || draft?.type === 'session_fork') {
      const forkedFrom = draft.type === 'session_fork' ? draft.forkedFrom : undefined
      return { type: 'session_start', sessionId: draft.sessionId, resumed: forkedFrom === undefined, forkedFrom }
    }
    return { type: 'session_start', sessionId: resumed ?? '', resumed: resumed !== undefined }
  }

  #startSession(draft: AgentEventDraft & { type: 'session_start' }, out: AgentEvent[]): void {
    if (!this.#sessionStarted) {
      this.#sessionStarted = true
      this.#emit(draft, out)
    } else if (draft.sessionId !== '' && draft.sessionId !== this.totals.sessionId) {
      // The agent told its id only now, or it changed: say so without a second start.
      this.#emit({ type: 'session_checkpoint', sessionId: draft.sessionId, checkpointId: draft.sessionId }, out)
    }
  }

  #startTurn(draft: AgentEventDraft & { type: 'turn_start' }, out: AgentEvent[]): void {
    if (this.#turnOpen) return
    this.#turnOpen = true
    this.#turnExpected = false
    this.#turnIndex += 1
    this.#blocks.startTurn()
    draft.turnIndex = this.#turnIndex
    this.#emit(draft, out)
  }

  #endTurn(draft: AgentEventDraft & { type: 'turn_end' }, out: AgentEvent[]): void {
    for (const open of this.#blocks.endAll()) this.#emitBlock(ownDraft(open, this.#stamp), out)
    if (!this.#turnOpen) return
    this.#turnOpen = false
    draft.turnIndex = this.#turnIndex
    draft.cost ??= this.totals.turnCost() ?? undefined
    this.#emit(draft, out)
  }

  #emitBlock(draft: AgentEventDraft, out: AgentEvent[]): void {
    this.#blocks.apply(draft, this.#stamp.timestamp)
    if (draft.type === 'step_start' || draft.type === 'step_end') draft.turnIndex = this.turnIndex
    if (!this.#options.stream) {
      if (draft.type === 'text_delta') return
      if (draft.type === 'message_stop' && draft.text !== '') {
        this.#emit({ type: 'text_delta', delta: draft.text, accumulated: draft.text }, out)
      }
    }
    this.#emit(draft, out)
  }

  #emit(draft: AgentEventDraft, out: AgentEvent[]): void {
    completeDraft(draft, this.#stamp)
    this.totals.note(draft)
    out.push(draft)
  }

  /** One time for all that a draft leads to: asking for it costs as much as the rest. */
  #tick(): void {
    this.#stamp.timestamp = Math.max(this.#stamp.timestamp, this.#options.now())
  }
}
