import type { DialogueCommand, DialogueExit, TurnFailure } from '../contract/dialogue.ts'
import type { ExitReason } from '../contract/outcome.ts'
import type { PendingInteraction, RunState } from '../contract/run-handle.ts'
import type { RunOptions } from '../contract/run-options.ts'
import type { ProcessEnd } from './agent-process.ts'
import { type Ending, judge, type StopReason, type Verdict } from './outcome.ts'
import type { RunClosing, RunInput } from './run-input.ts'

const FINAL_STATE: Record<ExitReason, RunState> = {
  completed: 'completed',
  turn_limit: 'completed',
  interrupted: 'completed',
  aborted: 'aborted',
  timeout: 'timed-out',
  inactivity: 'timed-out',
  crashed: 'crashed',
  killed: 'killed',
}

export function finalState(verdict: Verdict): RunState {
  return FINAL_STATE[verdict.exitReason]
}

/** The state of the run when its process has ended. */
export interface Circumstances {
  exit: ProcessEnd
  isClosing: boolean
  refusedQuestions: readonly string[]
  pending: readonly PendingInteraction[]
}

/** What the events of the run say about its end. */
type Reported = Pick<Ending, 'deniedTools' | 'retrying'>

/** What a failed turn means for the run. */
export type Reaction =
  /** Nothing: the run is ending already, or the agent calls a stop of ours a failure. */
  | 'none'
  /** It is reported, and the run stays open. */
  | 'stays'
  /** The caller interrupted the turn; the agent may go on. */
  | 'interrupted'
  /** The agent gets no more turns and leaves. */
  | 'closes'
  /** The process has to be ended. */
  | 'ends'

/**
 * What the inputs of a run mean for its end: why we stopped it, the failure that weighs, whether it stays open. A live
 * run, its recovery and the replay of a recording give it the same inputs, so that they come to the same end.
 */
export class RunEnding {
  #stop: StopReason | null = null
  #failure: TurnFailure | null = null
  #hasStayed = false
  #staysOpen: boolean
  #hasProcess = false
  #wasInterrupted = false
  #turnIsStopped = false
  #hasSaidGoodbye = false

  constructor({ keepOpen = false }: Pick<RunOptions, 'keepOpen'> = {}) {
    this.#staysOpen = keepOpen
  }

  /** We are ending the run ourselves. */
  get isStopped(): boolean {
    return this.#stop !== null
  }

  get hasFailed(): boolean {
    return this.#failure !== null
  }

  /** The caller has interrupted the current turn. */
  get wasInterrupted(): boolean {
    return this.#wasInterrupted
  }

  /** A limit of ours has stopped the current turn. */
  get turnIsStopped(): boolean {
    return this.#turnIsStopped
  }

  /** There may be more turns after this one, whatever becomes of it. */
  get staysOpen(): boolean {
    return this.#staysOpen
  }

  /** A failed turn leaves the run as it is. */
  get survivesFailure(): boolean {
    return this.#staysOpen && this.#hasProcess
  }

  /** Notes an input before it is interpreted. */
  take(input: RunInput): void {
    switch (input.kind) {
      case 'start':
        this.#hasProcess = true
        this.#hasSaidGoodbye = false
        break
      case 'command':
        if (input.command.type === 'interrupt' && !input.isOurs) this.#wasInterrupted = true
        if (input.command.type === 'close') this.close()
        break
      case 'exit':
        this.#hasProcess = false
        break
      case 'fail':
        this.#failure ??= input.failure
        break
      case 'turn_stop':
        this.#turnIsStopped = true
        this.#stay(input.failure)
        break
      case 'stop':
        this.#noteStop(input.reason, input.failure)
        break
      case 'retry':
        this.#stop = null
        this.#failure = null
        this.#hasProcess = false
    }
  }

  /** The dialogue takes the command. */
  accepted(command: DialogueCommand, isTurn: boolean): void {
    if (command.type === 'close') this.#hasSaidGoodbye = true
    if (isTurn) this.newTurn()
  }

  /** A prompt was sent: what became of the turn before is history. */
  newTurn(): void {
    this.#failure = null
    this.#hasStayed = false
    this.#wasInterrupted = false
  }

  /** A turn begins. */
  turnStarted(): void {
    this.#turnIsStopped = false
  }

  /** No more turns. */
  close(): void {
    this.#staysOpen = false
  }

  /** The agent says that its turn has failed. The first failure is kept: later ones are mostly its consequences. */
  failed(failure: TurnFailure): Reaction {
    const isCancelled = failure.outcome.kind === 'cancelled'
    if (this.isStopped || (this.#turnIsStopped && isCancelled)) return 'none'
    const isInterrupt = isCancelled && this.#wasInterrupted
    if (this.survivesFailure && !failure.endNow && !isInterrupt) {
      this.#stay(failure)
      return 'stays'
    }
    this.#failure ??= failure
    if (isInterrupt) return 'interrupted'
    return failure.endNow ? 'ends' : 'closes'
  }

  /** Whether another try may go well after this end. What the agent itself tried again for counts as such. */
  isTransient({ outcome }: Verdict): boolean {
    return this.#failure?.outcome === outcome ? (this.#failure.transient ?? false) : outcome.kind === 'rate_limited'
  }

  /**
   * Whether another try is possible at all: not when the caller or a limit ended this one, and not after a failure that
   * was reported to the caller, who decides what to send next.
   */
  get allowsRetry(): boolean {
    return (this.#stop === null || this.#stop === 'inactivity' || this.#stop === 'limit') && !this.#hasStayed
  }

  /** All that the verdict rests on but the failure. */
  closing({ exit, isClosing, refusedQuestions, pending }: Circumstances): RunClosing {
    const { spawnError, ...how } = exit
    const open = (type: PendingInteraction['type']) => pending.filter((one) => one.type === type)
    return {
      ...how,
      stop: this.#stop,
      wasInterrupted: this.#wasInterrupted,
      openQuestions: [...refusedQuestions, ...open('input').map((one) => one.description)],
      openApprovals: open('approval').map((one) => one.description),
      endedByUs: isClosing,
      spawnFailed: spawnError !== undefined,
    }
  }

  /** The same for a run that nobody drives any more. */
  lostClosing(exit: DialogueExit, open: Pick<RunClosing, 'openQuestions' | 'openApprovals'>): RunClosing {
    const [stop, wasInterrupted, endedByUs] = [this.#stop, this.#wasInterrupted, this.#hasSaidGoodbye]
    return { ...exit, ...open, stop, wasInterrupted, endedByUs }
  }

  judge(closing: RunClosing, reported: Reported): Verdict {
    return judgeClosing(closing, this.#failure, reported)
  }

  /** The first reason wins. */
  #noteStop(reason: StopReason, failure: TurnFailure | null): void {
    if (this.#stop) return
    this.#stop = reason
    this.#failure = failure ?? this.#failure
  }

  /** A turn has failed and the run stays open. It is the outcome of the run unless another turn follows. */
  #stay(failure: TurnFailure): void {
    this.#failure ??= failure
    this.#hasStayed = true
  }
}

function judgeClosing(
  { wasInterrupted, stop, ...rest }: RunClosing,
  failure: TurnFailure | null,
  { deniedTools, retrying }: Reported,
): Verdict {
  // A process that the interrupt itself has ended did not crash.
  const kind = failure?.outcome.kind ?? 'cancelled'
  const isInterrupt = wasInterrupted && (kind === 'cancelled' || kind === 'crashed')
  return judge({ ...rest, stop: stop ?? (isInterrupt ? 'interrupted' : null), failure, deniedTools, retrying })
}
