import type { AgentAdapter } from '../contract/adapter.ts'
import type { Dialogue, DialogueExit, Effect } from '../contract/dialogue.ts'
import { AGENT_EVENT_TYPES, isTerminalEvent } from '../contract/event-guards.ts'
import type { AgentEvent, EventOfType, StreamSource } from '../contract/events.ts'
import type { RunOptions } from '../contract/run-options.ts'
import type { ParseContext } from '../contract/spawn.ts'
import { StreamAssembler } from '../contract/stream-assembler.ts'
import { failTurn } from '../core/failures.ts'
import { isRecord } from '../core/json.ts'
import { waitIn } from '../core/limit-end.ts'
import type { Normaliser } from './normaliser.ts'
import { outcomeOfEvent } from './outcome.ts'
import { parseError, totalDialogue } from './total-dialogue.ts'

const EVENT_TYPES: ReadonlySet<unknown> = new Set(AGENT_EVENT_TYPES)

/** After these the agent has got over a fault. */
const GOES_ON: ReadonlySet<AgentEvent['type']> = new Set([
  ...(['message_start', 'text_delta', 'thinking_start', 'thinking_delta', 'turn_start'] as const),
  ...(['tool_call_start', 'tool_call_ready', 'tool_result', 'subagent_spawn', 'subagent_result'] as const),
])

function goesOn(event: AgentEvent): boolean {
  return GOES_ON.has(event.type) || (event.type === 'message_stop' && event.text !== '')
}

/** Codes of a request that failed: whatever the model says next answers another one. */
const REQUEST_FAILED: ReadonlySet<string> = new Set(['RATE_LIMITED', 'MODEL_ERROR'])

/** What went wrong and may still be got over: the agent may try again by itself. */
interface Fault {
  event: EventOfType<'error' | 'rate_limit_error' | 'rate_limited'>
  /** A message was open: its end says nothing new. */
  cutsMessage: boolean
  /** The adapter itself has reported that the agent tries again. */
  isRetryReported: boolean
  /** The turn has ended with it. */
  isFinal: boolean
}

/**
 * For adapters with only the documented minimum, `buildSpawnArgs` and `parseEvent`. Whatever such an adapter does
 * wrong (throws, returns rubbish) becomes an event; the run goes on.
 */
export class DefaultDialogue implements Dialogue {
  readonly #adapter: AgentAdapter
  readonly #context: ParseContext
  readonly #stdinIsOpen: boolean
  #crashed = false
  /** As long as nothing says that the agent has got over it. */
  #fault: Fault | null = null
  #messageIsOpen = false
  #hasSpoken = false

  constructor(adapter: AgentAdapter, context: ParseContext, stdinIsOpen: boolean) {
    this.#adapter = adapter
    this.#context = context
    this.#stdinIsOpen = stdinIsOpen
  }

  start(): Effect[] {
    return []
  }

  onLine(line: string, source: StreamSource): Effect[] {
    if (line.trim() === '') return []
    this.#context.source = source
    let parsed: AgentEvent | AgentEvent[] | null
    try {
      parsed = this.#adapter.parseEvent(line, this.#context)
    } catch (error) {
      return [parseError(`${this.#adapter.agent}: parseEvent failed`, error)]
    }
    if (parsed === null || parsed === undefined) return [{ unrecognized: 'line' }]
    return (Array.isArray(parsed) ? parsed : [parsed]).flatMap((event) => this.#effects(event))
  }

  onCommand(command: { type: string; text?: string }): Effect[] | null {
    if (command.type !== 'user_turn' && command.type !== 'steer') return null
    return this.#stdinIsOpen ? [{ write: command.text ?? '' }] : null
  }

  onExit({ exitCode, signal, stderr }: DialogueExit): Effect[] {
    const effects: Effect[] = []
    const rest = this.#context.assembler.endBlock()
    if (rest !== null) effects.push(...this.onLine(rest, this.#context.source))
    this.#context.assembler.reset()
    if (this.#fault !== null && (signal === null || this.#fault.isFinal)) effects.push(...lastWord(this.#fault))
    if (this.#crashed) return effects
    try {
      const events = this.#adapter.onProcessExit?.(exitCode ?? -1, signal) ?? []
      for (const event of events) {
        effects.push(...this.#effects(event.type === 'crash' && event.stderr === '' ? { ...event, stderr } : event))
      }
    } catch (error) {
      effects.push(parseError(`${this.#adapter.agent}: onProcessExit failed`, error))
    }
    return effects
  }

  #effects(given: AgentEvent): Effect[] {
    if (!isRecord(given) || !EVENT_TYPES.has(given.type)) {
      return [parseError(`${this.#adapter.agent}: not an event`, JSON.stringify(given)?.slice(0, 200))]
    }
    // A copy: events are completed in place, and an adapter may hand out the same object twice.
    const event = { ...given }
    // What the adapter says counts, whatever the process exits with.
    if (isTerminalEvent(event)) {
      this.#crashed ||= event.type === 'crash'
      return [{ fail: { event, outcome: outcomeOfEvent(event) } }]
    }
    const before = this.#follow(event)
    if (event.type === 'message_start' || event.type === 'text_delta') this.#messageIsOpen = true
    else if (event.type === 'message_stop' || event.type === 'tool_call_start' || event.type === 'turn_end') {
      this.#messageIsOpen = false
    }
    this.#hasSpoken ||= goesOn(event)
    return [...before, { emit: event }, ...waiting(event)]
  }

  /** Notes a fault, and what an event says about one that was reported before. */
  #follow(event: AgentEvent): Effect[] {
    if (this.#isFault(event)) {
      const { isRetryReported = false, cutsMessage = this.#messageIsOpen } = this.#fault ?? {}
      this.#fault = { event, cutsMessage, isRetryReported, isFinal: false }
      return []
    }
    const fault = this.#fault
    if (fault === null) return []
    if (event.type === 'retry') fault.isRetryReported = true
    if (event.type === 'turn_end') {
      fault.isFinal = true
      // Nobody knows of the end of the process yet, and somebody may send another prompt.
      if (this.#stdinIsOpen) this.#fault = null
      return this.#stdinIsOpen ? lastWord(fault) : []
    }
    if (event.type === 'message_stop' && fault.cutsMessage) {
      fault.cutsMessage = false
      return []
    }
    if (!goesOn(event)) return []
    this.#fault = null
    const isAnotherTry = fault.event.type !== 'error' || REQUEST_FAILED.has(fault.event.code)
    if (!isAnotherTry || fault.isRetryReported || fault.isFinal) return []
    return [{ emit: { type: 'retry', attempt: 1, maxAttempts: 1, reason: messageOf(fault.event), delayMs: 0 } }]
  }

  #isFault(event: AgentEvent): event is Fault['event'] {
    if (event.type === 'rate_limit_error') return true
    // Often only a remark; but one that nothing precedes and nothing follows is all that the agent has to say.
    if (event.type === 'rate_limited') return !this.#hasSpoken && this.#fault === null
    return event.type === 'error' && event.code !== 'PARSE_ERROR'
  }
}

function messageOf(event: Fault['event']): string {
  return event.type === 'rate_limited' ? 'rate limited' : event.message
}

/** An agent that tries again at a limit is waited for, but not forever. */
function waiting(event: AgentEvent): Effect[] {
  const isLimit = event.type === 'rate_limit_error' || (event.type === 'error' && event.code === 'RATE_LIMITED')
  if (!isLimit) return []
  const { message } = event
  const announcedMs = event.type === 'rate_limit_error' ? event.retryAfterMs : undefined
  return [{ limited: { reason: message, retryAfterMs: announcedMs ?? waitIn(message) } }]
}

/** The agent ended after the fault, without another word: that is how the run failed. Another try may go well. */
function lastWord({ event }: Fault): Effect[] {
  if (event.type !== 'error') {
    const reported = failTurn('rate_limit', { ...event, message: messageOf(event) })
    return event.type === 'rate_limited' ? reported : reported.filter((effect) => 'fail' in effect)
  }
  const final = { ...event, recoverable: false }
  return [{ fail: { event: final, outcome: outcomeOfEvent(final), transient: true } }]
}

/** The adapter's own dialogue, or the default one around its `parseEvent`. */
export function createDialogue(
  adapter: AgentAdapter,
  options: RunOptions,
  runId: string,
  stdinIsOpen: boolean,
  normaliser: Normaliser,
): Dialogue {
  if (adapter.createDialogue) return totalDialogue(adapter.createDialogue({ ...options, runId }))
  return new DefaultDialogue(adapter, parseContext(adapter, options, runId, normaliser), stdinIsOpen)
}

function parseContext(adapter: AgentAdapter, options: RunOptions, runId: string, normaliser: Normaliser): ParseContext {
  const { totals } = normaliser
  return {
    runId,
    agent: adapter.agent,
    debug: options.debug ?? false,
    outputFormat: options.outputFormat ?? 'text',
    source: 'stdout',
    assembler: new StreamAssembler(),
    adapterState: {},
    get sessionId() {
      return totals.sessionId ?? undefined
    },
    get turnIndex() {
      return normaliser.turnIndex
    },
    get eventCount() {
      return totals.eventCount
    },
    get lastEventType() {
      return totals.lastEventType
    },
  }
}
