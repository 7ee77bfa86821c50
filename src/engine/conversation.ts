import type { DialogueCommand } from '../contract/dialogue.ts'
import { AgentMuxError, CapabilityError } from '../contract/errors.ts'
import type { AgentEventDraft } from '../contract/event-drafts.ts'
import type { AgentEvent } from '../contract/events.ts'
import type { AgentName } from '../contract/names.ts'
import { RUN_DEFAULTS } from '../contract/run-defaults.ts'
import type { DeliveryTime, RunState } from '../contract/run-handle.ts'
import type { RunOptions } from '../contract/run-options.ts'
import type { Attempt } from './attempt.ts'
import { type DeferredPrompt, DeferredPrompts } from './deferred-prompts.ts'
import type { CommandNotes } from './interpreter.ts'
import type { RunEnding } from './run-ending.ts'

/** What the conversation asks of its run. */
export interface ConversationPort {
  readonly ending: Pick<RunEnding, 'staysOpen' | 'close'>
  /** False: the agent's protocol has no such command. */
  command(command: DialogueCommand, notes: CommandNotes): boolean
  emit(draft: AgentEventDraft): void
  /** A new turn is about to be sent. */
  newTurn(): void
  /** An interrupt while no process is there to take it. */
  stopWaiting(): void
  /** Resolves when every reader has seen every event. */
  caughtUp(): Promise<void>
}

/** How much longer an agent may stay after its result while it has work in the background. */
const BACKGROUND_PATIENCE = 60

const ACTIVE: ReadonlySet<RunState> = new Set(['spawned', 'running', 'paused', 'interrupted'])

/**
 * What is said to the agent while it runs: turns, steering, answers, interrupt, pause, the goodbye. Knows whether a
 * turn is under way and whether anybody may still want another one.
 */
export class Conversation {
  state: RunState = 'spawned'
  /** There were prompts after that of the run. */
  hasSentTurns = false
  readonly #agent: AgentName
  readonly #port: ConversationPort
  readonly #deferred = new DeferredPrompts()
  #attempt: Attempt | null = null
  #turnIsActive = true
  #onTurnOver: () => void = () => {}
  #isClosing = false
  #isLingering = false
  readonly #openSubagents = new Set<string>()
  readonly #exitGraceMs: number

  constructor(agent: AgentName, { exitGraceMs }: RunOptions, port: ConversationPort) {
    this.#agent = agent
    this.#exitGraceMs = exitGraceMs ?? RUN_DEFAULTS.exitGraceMs
    this.#port = port
  }

  get isActive(): boolean {
    return ACTIVE.has(this.state)
  }

  /** We have said goodbye: what the agent exits with means nothing any more. */
  get isClosing(): boolean {
    return this.#isClosing
  }

  get unsentPrompts(): number {
    return this.#deferred.size
  }

  /** The agent is silent because we have not asked it anything. */
  get isBetweenTurns(): boolean {
    return !this.#turnIsActive && (this.#attempt?.canWrite ?? false)
  }

  /** Resolves when no turn is under way. */
  turnOver(): Promise<void> {
    if (!this.#turnIsActive) return Promise.resolve()
    return new Promise((resolve) => {
      this.#onTurnOver = resolve
    })
  }

  attach(attempt: Attempt): void {
    this.#attempt = attempt
    this.#turnIsActive = true
    this.#isClosing = false
    this.#isLingering = false
    this.#openSubagents.clear()
  }

  detach(): void {
    this.#attempt = null
  }

  /** There is somebody to ask again. */
  get takesTurns(): boolean {
    return this.isActive && !this.#isClosing && (this.#attempt?.canWrite ?? false)
  }

  send(text: string): void {
    this.#assertWritable()
    const onAccepted = () => {
      this.#port.newTurn()
      this.#turnIsActive = true
      this.hasSentTurns = true
    }
    this.#command({ type: 'user_turn', text }, { isTurn: true, onAccepted })
  }

  defer(text: string, when: DeliveryTime, command: DeferredPrompt['command']): void {
    this.#assertWritable()
    if (this.#turnIsActive) this.#deferred.add({ text, when, command })
    else this.send(text)
  }

  steer(text: string): void {
    this.#assertWritable()
    if (this.#turnIsActive) this.#command({ type: 'steer', text })
    else this.send(text)
  }

  setModel(model: string): void {
    this.#running()
    this.#command({ type: 'set_model', model })
  }

  /** `event` announces the answer; it comes before its consequences. */
  answer(command: DialogueCommand, event: AgentEventDraft | null): void {
    this.#running()
    this.#command(command, { event })
  }

  interrupt(): void {
    this.#assertActive()
    if (!this.#attempt) {
      this.#port.stopWaiting()
      return
    }
    if (this.state === 'paused') this.resume()
    this.state = 'interrupted'
    if (!this.#port.command({ type: 'interrupt' }, {})) this.#attempt.signal('SIGINT')
  }

  /** Stops the turn, and not the run, for a reason that is reported separately. False: the agent cannot do that. */
  stopTurn(): boolean {
    return this.#port.command({ type: 'interrupt' }, { isOurs: true })
  }

  pause(): void {
    if (this.state !== 'running') throw this.#wrongState('pause')
    // SIGSTOP: a process group without a terminal is an orphaned one, where the kernel discards SIGTSTP.
    this.#attempt?.signal('SIGSTOP')
    this.state = 'paused'
    this.#port.emit({ type: 'paused' })
  }

  resume(): void {
    if (this.state !== 'paused') throw this.#wrongState('resume')
    this.#attempt?.signal('SIGCONT')
    this.state = 'running'
    this.#attempt?.touch()
    this.#port.emit({ type: 'resumed' })
  }

  /** No more turns. The agent leaves by itself when it is done, or is made to; a failed one is not waited for. */
  close(hasFailed = false): void {
    this.#port.ending.close()
    const attempt = this.#attempt
    if (!this.isActive || !attempt) return
    if (!this.#isClosing) {
      const isSent = this.#port.command({ type: 'close' }, {})
      if (!isSent) attempt.closeStdin()
      // An agent without such a command ends when it is done, and its exit code counts, unless it hangs.
      if (!isSent && !hasFailed) {
        this.#linger()
        return
      }
      this.#isClosing = true
    }
    if (hasFailed || (!this.#turnIsActive && !attempt.isBusy)) attempt.leave()
  }

  /** The agent has said something. */
  heard(): void {
    if (this.state === 'spawned' || (this.state === 'interrupted' && !this.#isClosing)) this.state = 'running'
  }

  /** Keeps track of the turn, and sends what has waited for this event. */
  note(event: AgentEvent): void {
    if (event.type === 'subagent_spawn') this.#openSubagents.add(event.subagentId)
    if (event.type === 'subagent_result' || event.type === 'subagent_error')
      this.#openSubagents.delete(event.subagentId)
    // It still has something to say.
    if (this.#isLingering && event.type !== 'debug' && event.type !== 'log') this.#linger()
    if (event.type === 'turn_start') {
      this.#turnIsActive = true
      this.#isLingering = false
      this.#attempt?.stay()
    }
    if (event.type === 'turn_end') {
      this.#turnIsActive = false
      this.#onTurnOver()
    }
    if (!this.#attempt || !this.isActive) return
    for (const prompt of this.#deferred.take(event.type)) this.#deliver(prompt)
    // A sub-agent in the background may outlast the turn, and is waited for.
    const isSubagentEnd = event.type === 'subagent_result' || event.type === 'subagent_error'
    if (event.type === 'turn_end' || (isSubagentEnd && !this.#turnIsActive)) void this.#afterTurn()
  }

  /** Nothing may follow: an agent that only ends, and does not say so, is not waited for without end. */
  mayBeOver(isOver: boolean): void {
    this.#isLingering = isOver
    if (!isOver) this.#attempt?.stay()
    else this.#waitForExit(() => this.#port.command({ type: 'close' }, {}))
  }

  /** The turn is over: an agent that does not leave by itself is ended, and its result is kept. */
  #linger(): void {
    if (!this.#attempt || this.#turnIsActive || this.#exitGraceMs === 0) return
    this.#isLingering = true
    this.#waitForExit()
  }

  #waitForExit(beforeEnd: () => void = () => {}): void {
    if (this.#exitGraceMs === 0) return
    const patience = this.#openSubagents.size > 0 ? BACKGROUND_PATIENCE : 1
    this.#attempt?.linger(this.#exitGraceMs * patience, () => {
      beforeEnd()
      this.#isClosing = true
    })
  }

  #deliver({ text, command }: DeferredPrompt): void {
    try {
      if (command === 'steer') this.steer(text)
      else this.send(text)
    } catch (error) {
      const message = `A queued prompt could not be sent: ${error instanceof Error ? error.message : error}`
      this.#port.emit({ type: 'debug', level: 'warn', message })
    }
  }

  /** Between turns: another one can be asked for until all readers have seen the end of this one. */
  async #afterTurn(): Promise<void> {
    if (this.#isClosing) return this.close()
    if (this.#port.ending.staysOpen) return
    await this.#port.caughtUp()
    if (!this.#turnIsActive && this.#attempt?.isBusy !== true) this.close()
  }

  #command(command: DialogueCommand, notes: CommandNotes = {}): void {
    if (this.#port.command(command, notes)) return
    if (command.type === 'user_turn' || command.type === 'steer') throw this.#noInput()
    throw new CapabilityError(this.#agent, command.type)
  }

  #running(): Attempt {
    this.#assertActive()
    if (this.#attempt) return this.#attempt
    throw new AgentMuxError('RUN_NOT_ACTIVE', 'The agent is not running')
  }

  #assertWritable(): void {
    if (!this.#running().canWrite) throw this.#noInput()
  }

  #noInput(): AgentMuxError {
    return new AgentMuxError('STDIN_NOT_AVAILABLE', `${this.#agent} takes no further input in this run`)
  }

  #assertActive(): void {
    if (!this.isActive) throw new AgentMuxError('RUN_NOT_ACTIVE', `This run has ended (${this.state})`)
  }

  #wrongState(action: string): AgentMuxError {
    return new AgentMuxError('INVALID_STATE_TRANSITION', `Cannot ${action} a run that is ${this.state}`)
  }
}
