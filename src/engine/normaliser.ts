import type { AgentEventDraft } from '../contract/event-drafts.ts'
import { isTerminalEvent } from '../contract/event-guards.ts'
import type { AgentEvent } from '../contract/events.ts'
import type { AgentName } from '../contract/names.ts'
import type { Outcome } from '../contract/outcome.ts'
import { completeDraft, ownDraft } from '../core/complete-draft.ts'
import { OpenBlocks } from './open-blocks.ts'
import { outcomeOfTurn } from './outcome.ts'
import { RunTotals } from './run-totals.ts'
import { StreamedLog } from './streamed.ts'

export interface NormaliserOptions {
  runId: string
  agent: AgentName
  now: () => number
  /** False: the text of a message comes in one piece at its end. */
  stream: boolean
  sessionId?: string
  /** Somebody else drives the session, so nothing was resumed here. */
  isWatched?: boolean
  /** The run stays open after a turn, so the end of a turn says how it ended. */
  staysOpen?: boolean
  /** The run may be tried again as a whole. */
  retries?: boolean
}

/**
 * Where a draft stands among the words of the model: `aside` is another stream, so that it is not certain; `late` is
 * after words that it has nothing to do with.
 */
export type Place = 'inline' | 'aside' | 'late'

const WITHDRAWN = 'The attempt was withdrawn before this call had a result.'

const ASKED_AGAIN = 'The response broke off, and the agent asked its model again.'

const BEGINS_AGAIN: ReadonlySet<string> = new Set([
  ...['message_start', 'text_delta', 'thinking_start', 'thinking_delta', 'tool_call_start', 'tool_call_ready'],
])
const SAYS_NOTHING: ReadonlySet<string> = new Set(['debug', 'log', 'rate_limited', 'retry', 'token_usage', 'cost'])

/** Events that belong to the session or to us, not to a turn. */
const OUTSIDE_TURNS: ReadonlySet<string> = new Set([
  ...['session_start', 'session_resume', 'session_fork', 'session_checkpoint', 'session_end', 'turn_start', 'turn_end'],
  ...[
    'debug',
    'log',
    'cost',
    'token_usage',
    'rate_limited',
    'retry',
    'attempt_withdrawn',
    'stream_fallback',
    'error',
    'rate_limit_error',
  ],
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
  readonly #streamed: StreamedLog
  readonly #stamp: { runId: string; agent: AgentName; timestamp: number }
  #sessionStarted = false
  /** The session goes on, and nobody has said so yet. */
  #resumeIsDue = false
  /** How many turns the session had before this run, where that is known. */
  priorTurnCount: number | undefined
  #turnOpen = false
  #turnExpected = true
  #turnIndex = -1
  #terminal = false
  #ended = false
  /** A retry that was announced aside: what is open is void only if the model begins again. */
  #doubted: (AgentEventDraft & { type: 'retry' }) | null = null
  #isLate = false
  /** What the current response has withdrawn: some agents send it again with the whole message. */
  #withdrawnText = ''
  /** What became of the current turn: why it failed, and whether the caller has interrupted it. */
  #turnFailure: Outcome | null = null
  #turnInterrupted = false

  constructor(options: NormaliserOptions) {
    this.#options = options
    this.#streamed = new StreamedLog(options.retries ?? false)
    this.#stamp = { runId: options.runId, agent: options.agent, timestamp: 0 }
  }

  get turnIndex(): number {
    return Math.max(0, this.#turnIndex)
  }

  /** The last message, even where nobody has ended it: an agent may just leave after it. */
  get answer(): string {
    return this.#blocks.message || this.totals.text
  }

  /** The agent has been asked something, so that an end of a turn without anything in it is one, too. */
  expectTurn(): void {
    this.#turnExpected = true
    if (!this.#turnOpen) this.#forgetTurn()
  }

  /** The first failure of a turn counts: later ones are mostly its consequences. */
  noteFailure(outcome: Outcome): void {
    this.#turnFailure ??= outcome
  }

  /** A person has answered a question. */
  noteAnswer(interactionId: string): void {
    this.totals.openQuestions.delete(interactionId)
    this.#blocks.endWait(interactionId, this.#options.now())
  }

  noteInterrupt(): void {
    if (this.#turnOpen || this.#turnExpected) this.#turnInterrupted = true
  }

  #forgetTurn(): void {
    this.#turnFailure = null
    this.#turnInterrupted = false
  }

  /**
   * Appends to `out` the events that this draft leads to; usually just itself.
   */
  accept(given: AgentEventDraft, out: AgentEvent[], place: Place = 'inline'): void {
    this.#tick()
    const { type } = given
    this.#isLate = place === 'late'
    if (type === 'retry' && place === 'aside') this.#doubted = given
    else if (this.#doubted !== null) this.#settleDoubt(type, out)
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
    if (draft.type === 'session_resume') {
      this.#resumeIsDue = false
      draft.priorTurnCount ??= this.priorTurnCount
    }
    switch (draft.type) {
      case 'session_start':
        this.#startSession(draft, out)
        return
      case 'session_end':
        // Ours comes when the process has ended; the content of the agent's own event is kept for it.
        this.totals.sessionId ??= draft.sessionId || null
        this.totals.noteFinalCost(draft.cost)
        this.#endTurn({ type: 'turn_end' }, out)
        return
      case 'turn_start':
        this.#startTurn(draft, out)
        return
      case 'turn_end':
        if (this.#turnExpected) this.#startTurn({ type: 'turn_start' }, out)
        this.#endTurn(draft, out)
        return
      case 'attempt_withdrawn':
        this.#withdraw(draft, out)
        return
      case 'retry':
        if (this.#doubted === null && !this.#isLate) this.#withdrawPartial(draft, out)
        break
      case 'cost':
        draft.cost = this.totals.withEarlierAttempts(draft.cost)
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
      this.#resumeIsDue = draft.resumed && this.#options.isWatched !== true
      this.#emit(draft, out)
    } else if (draft.sessionId !== '' && draft.sessionId !== this.totals.sessionId) {
      // The agent reported its id only now, or it changed: say so without a second start.
      this.#emit({ type: 'session_checkpoint', sessionId: draft.sessionId, checkpointId: draft.sessionId }, out)
    }
  }

  /** With its first turn: a session that cannot be found was not resumed. An adapter that knows more says it itself. */
  #resume(out: AgentEvent[]): void {
    if (!this.#resumeIsDue) return
    this.#resumeIsDue = false
    const { priorTurnCount } = this
    this.#emit({ type: 'session_resume', sessionId: this.totals.sessionId ?? '', priorTurnCount }, out)
  }

  #startTurn(draft: AgentEventDraft & { type: 'turn_start' }, out: AgentEvent[]): void {
    if (this.#turnOpen) return
    this.#resume(out)
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
    if (this.#options.staysOpen) draft.outcome ??= this.#turnOutcome() ?? undefined
    this.#forgetTurn()
    this.#emit(draft, out)
  }

  #turnOutcome(): Outcome | null {
    const { deniedTools, openQuestions, openApprovals } = this.totals
    return outcomeOfTurn({
      ...{ failure: this.#turnFailure, wasInterrupted: this.#turnInterrupted, deniedTools },
      openQuestions: [...openQuestions.values()],
      openApprovals: [...openApprovals.values()],
    })
  }

  /** The agent asks its model again: what that has begun to say is void. What it has finished stays. */
  #withdrawPartial({ attempt, reason }: AgentEventDraft & { type: 'retry' }, out: AgentEvent[]): void {
    const open = this.#blocks.endPartial(WITHDRAWN)
    if (open.length === 0) return
    const about = { attempt: Math.max(1, attempt), reason, scope: 'response' } as const
    this.#streamed.newResponse(open.flatMap((block) => (block.type === 'tool_error' ? [block.toolCallId] : [])))
    this.#withdraw({ type: 'attempt_withdrawn', ...about, text: '', toolCallIds: [] }, out)
  }

  /** The agent has kept only the end of what was streamed. Its message stays open: the turn is ending. */
  settleAnswer(answer: string, out: AgentEvent[]): void {
    const streamed = this.#streamed.text + (this.#blocks.message ?? '')
    if (!this.#turnOpen || answer === '' || streamed === answer || !streamed.endsWith(answer)) return
    const about = { attempt: 1, reason: ASKED_AGAIN, scope: 'response' } as const
    this.accept({ type: 'attempt_withdrawn', ...about, text: '', toolCallIds: [] }, out)
    this.accept({ type: 'text_delta', delta: answer }, out)
  }

  #settleDoubt(type: AgentEventDraft['type'], out: AgentEvent[]): void {
    const retry = this.#doubted
    if (retry === null || SAYS_NOTHING.has(type)) return
    this.#doubted = null
    if (BEGINS_AGAIN.has(type)) this.#withdrawPartial(retry, out)
  }

  #withdraw(draft: AgentEventDraft & { type: 'attempt_withdrawn' }, out: AgentEvent[]): void {
    const { scope } = draft
    const open = scope === 'run' ? this.#blocks.endAll(WITHDRAWN) : this.#blocks.endPartial(WITHDRAWN)
    const { text, toolCallIds, textBefore } = this.#streamed.withdraw(scope, () => {
      for (const block of open) this.#emitBlock(ownDraft(block, this.#stamp), out)
    })
    draft.text ||= text
    if (draft.toolCallIds.length === 0) draft.toolCallIds = toolCallIds
    if (scope === 'response' && draft.text === '' && draft.toolCallIds.length === 0) return
    if (scope === 'run') {
      this.totals.withdrawAttempt()
      this.#blocks.startTurn()
      this.#turnIndex = this.#turnOpen ? 0 : -1
      this.#turnExpected = !this.#turnOpen
      this.#forgetTurn()
    } else {
      this.totals.text = textBefore
      this.#withdrawnText += draft.text
    }
    this.#emit(draft, out)
  }

  /** The whole of a message without what was withdrawn of it. */
  #withoutWithdrawn(text: string): string {
    const withdrawn = this.#withdrawnText
    this.#withdrawnText = ''
    return withdrawn !== '' && text.length > withdrawn.length && text.startsWith(withdrawn)
      ? text.slice(withdrawn.length)
      : text
  }

  #emitBlock(draft: AgentEventDraft, out: AgentEvent[]): void {
    if (draft.type === 'message_stop' && draft.text !== '') draft.text = this.#withoutWithdrawn(draft.text)
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
    this.#streamed.note(draft)
    out.push(draft)
  }

  /** One time for all that a draft leads to: asking for it costs as much as the rest. */
  #tick(): void {
    this.#stamp.timestamp = Math.max(this.#stamp.timestamp, this.#options.now())
  }
}
