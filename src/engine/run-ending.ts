import type { TurnFailure } from '../contract/dialogue.ts'
import type { ExitReason } from '../contract/outcome.ts'
import type { PendingInteraction, RunState } from '../contract/run-handle.ts'
import type { ProcessEnd } from './agent-process.ts'
import { type Ending, judge, type StopReason, type Verdict } from './outcome.ts'
import type { RunClosing } from './run-input.ts'

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

/** How things stand in the run when its process has ended. */
export interface Circumstances {
  exit: ProcessEnd
  wasInterrupted: boolean
  isClosing: boolean
  refusedQuestions: readonly string[]
  pending: readonly PendingInteraction[]
}

/** What the events of the run say about its end. */
type Told = Pick<Ending, 'deniedTools' | 'retrying'>

/** Gathers what speaks for one end or another of a run: why we stopped it, and the failure that weighs. */
export class RunEnding {
  #stop: StopReason | null = null
  #failure: TurnFailure | null = null
  #hasStayed = false

  /** We are ending the run ourselves. */
  get isStopped(): boolean {
    return this.#stop !== null
  }

  get hasFailed(): boolean {
    return this.#failure !== null
  }

  /** Whether another try may go well after this end. What the agent itself tried again for counts as such. */
  isTransient({ outcome }: Verdict): boolean {
    return this.#failure?.outcome === outcome ? (this.#failure.transient ?? false) : outcome.kind === 'rate_limited'
  }

  /** The first reason stands. */
  stop(reason: StopReason, failure: TurnFailure | null): void {
    if (this.#stop) return
    this.#stop = reason
    this.#failure = failure ?? this.#failure
  }

  /** The first failure of a turn stands: later ones are mostly its consequences. */
  fail(failure: TurnFailure): void {
    this.#failure ??= failure
  }

  /** A turn has failed and the run stays open. It is the outcome of the run unless another turn follows. */
  stay(failure: TurnFailure): void {
    this.fail(failure)
    this.#hasStayed = true
  }

  newTurn(): void {
    this.#failure = null
    this.#hasStayed = false
  }

  /**
   * Whether another try is possible at all: not when the caller or a limit ended this one, and not after a failure that
   * was reported to the caller, who decides what to send next.
   */
  get allowsRetry(): boolean {
    return (this.#stop === null || this.#stop === 'inactivity' || this.#stop === 'limit') && !this.#hasStayed
  }

  newAttempt(): void {
    this.#stop = null
    this.#failure = null
  }

  /** All that the verdict rests on but the failure. */
  closing({ exit, wasInterrupted, isClosing, refusedQuestions, pending }: Circumstances): RunClosing {
    const { spawnError, ...how } = exit
    const open = (type: PendingInteraction['type']) => pending.filter((one) => one.type === type)
    return {
      ...how,
      stop: this.#stop,
      wasInterrupted,
      openQuestions: [...refusedQuestions, ...open('input').map((one) => one.description)],
      openApprovals: open('approval').map((one) => one.description),
      endedByUs: isClosing,
      spawnFailed: spawnError !== undefined,
    }
  }

  judge(closing: RunClosing, told: Told): Verdict {
    return judgeClosing(closing, this.#failure, told)
  }
}

export function judgeClosing(
  { wasInterrupted, stop, ...rest }: RunClosing,
  failure: TurnFailure | null,
  { deniedTools, retrying }: Told,
): Verdict {
  // A process that the interrupt itself has ended did not crash.
  const kind = failure?.outcome.kind ?? 'cancelled'
  const isInterrupt = wasInterrupted && (kind === 'cancelled' || kind === 'crashed')
  return judge({ ...rest, stop: stop ?? (isInterrupt ? 'interrupted' : null), failure, deniedTools, retrying })
}
