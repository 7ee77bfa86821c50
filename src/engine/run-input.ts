import type { DialogueCommand, DialogueExit, HostResult, HttpResponse, TurnFailure } from '../contract/dialogue.ts'
import type { AgentEventDraft } from '../contract/event-drafts.ts'
import type { AgentEvent, StreamSource } from '../contract/events.ts'
import type { QuotaStatus } from '../contract/quota.ts'
import type { Ending, StopReason, Verdict } from './outcome.ts'

export type UsageDraft = AgentEventDraft & { type: 'token_usage' }

/** The state of a run when its process had ended: all that the verdict is based on, except the failure of its turn. */
export type RunClosing = Omit<Ending, 'failure' | 'deniedTools' | 'retrying'> & { wasInterrupted: boolean }

/**
 * Everything that the events of a run follow from. With the inputs of a run, each with its time, one can make its
 * events again: the same ones with the same adapter, better ones with a better adapter.
 */
export type RunInput =
  /** A new process of the agent, and with it a new dialogue. `isRecorded`: another client has begun it, not ours. */
  | { kind: 'start'; stdinIsOpen: boolean; isRecorded?: true }
  | { kind: 'line'; source: StreamSource; line: string }
  /**
   * `event` shows the command to the world, before what it leads to. `isOurs`: the engine gives it for a reason of its
   * own, and not for the caller.
   */
  | { kind: 'command'; command: DialogueCommand; isTurn?: boolean; event?: AgentEventDraft | null; isOurs?: true }
  /** Only in recordings: a line that their client wrote to the agent. */
  | { kind: 'written'; line: string }
  | { kind: 'exit'; exit: DialogueExit }
  | { kind: 'host'; requestId: string; result: HostResult }
  | { kind: 'http'; requestId: string; response: HttpResponse }
  /** Usage that was found in the agent's own store. */
  | { kind: 'usage'; usage: UsageDraft }
  /** How many turns the session that goes on had before, by the agent's own store. */
  | { kind: 'prior_turns'; count: number }
  /** Something that we have to say ourselves. */
  | { kind: 'emit'; draft: AgentEventDraft }
  /** A failure that the agent knows nothing of. `endsTurn`: it is one of a turn, and the agent is still there. */
  | { kind: 'fail'; failure: TurnFailure; endsTurn?: true }
  /** The answer fits the schema that it was asked for with, and is this. */
  | { kind: 'output'; value: unknown }
  /** A limit of ours has stopped the turn, and the run stays open. */
  | { kind: 'turn_stop'; failure: TurnFailure }
  /** The policy tries again, from the start: what came of the attempt before is withdrawn. */
  | { kind: 'retry'; attempt: number; maxAttempts: number; reason: string; delayMs: number }
  | { kind: 'stop'; reason: StopReason; failure: TurnFailure | null }
  | { kind: 'finish'; closing: RunClosing; verdict: Verdict; durationMs: number }

/** Where an input belongs that came while another one was still being interpreted. */
export interface InputPosition {
  /** Which input of the last batch, by its index. */
  index: number
  /** How many events there were. */
  events: number
}

/** Sees every input of a run before it is interpreted. */
export interface RunTap {
  /**
   * Keeps the inputs, and returns their time. What it throws ends the run: an input that cannot be kept is not
   * interpreted. `during` is null for inputs that came by themselves.
   */
  inputs(inputs: readonly RunInput[], during: InputPosition | null): number
  /** The result of the input at this index of the last batch. */
  event?(event: AgentEvent, index: number): void
  /** All that has come of the last inputs that came by themselves is known. */
  settled(): void
  /** The process of the agent has started. */
  spawned?(pid: number): void
  /** One line to the agent. */
  wrote?(line: string): void
  /** What the agent reports about the user's plan. */
  quota?(status: QuotaStatus): void
}
