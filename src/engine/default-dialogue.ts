import type { AgentAdapter } from '../contract/adapter.ts'
import type { Dialogue, DialogueExit, Effect } from '../contract/dialogue.ts'
import { AGENT_EVENT_TYPES, isTerminalEvent } from '../contract/event-guards.ts'
import type { AgentEvent, EventOfType, StreamSource } from '../contract/events.ts'
import type { RunOptions } from '../contract/run-options.ts'
import type { ParseContext } from '../contract/spawn.ts'
import { StreamAssembler } from '../contract/stream-assembler.ts'
import { failTurn } from '../core/failures.ts'
import { isRecord } from '../core/json.ts'
import type { Normaliser } from './normaliser.ts'
import { outcomeOfEvent } from './outcome.ts'
import { parseError, totalDialogue } from './total-dialogue.ts'

const EVENT_TYPES: ReadonlySet<unknown> = new Set(AGENT_EVENT_TYPES)

/** After these the agent has got over an error from which it said that it can. */
const GOES_ON: ReadonlySet<AgentEvent['type']> = new Set([
  ...(['message_start', 'text_delta', 'thinking_start', 'thinking_delta', 'turn_start'] as const),
  ...(['tool_call_start', 'tool_call_ready', 'tool_result', 'subagent_spawn', 'subagent_result'] as const),
])

function goesOn(event: AgentEvent): boolean {
  return GOES_ON.has(event.type) || (event.type === 'message_stop' && event.text !== '')
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
  /** An error that could be recovered from, as long as nothing says that it was. */
  #unrecovered: EventOfType<'error'> | null = null

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
    if (this.#unrecovered !== null && signal === null) effects.push(lastWord(this.#unrecovered))
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
    if (event.type === 'rate_limit_error') return failTurn('rate_limit', event)
    if (!isTerminalEvent(event)) {
      if (event.type === 'error' && event.code !== 'PARSE_ERROR') this.#unrecovered = event
      else if (goesOn(event)) this.#unrecovered = null
      return [{ emit: event }]
    }
    this.#crashed ||= event.type === 'crash'
    return [{ fail: { event, outcome: outcomeOfEvent(event) } }]
  }
}

/** The agent ended after the error, without another word: that is how the run failed. Another try may go well. */
function lastWord(error: EventOfType<'error'>): Effect {
  const event = { ...error, recoverable: false }
  return { fail: { event, outcome: outcomeOfEvent(event), transient: true } }
}

/** The adapter's own dialogue, or the default one around its `parseEvent`. */
export function createDialogue(
  adapter: AgentAdapter,
  options: RunOptions,
  runId: string,
  stdinIsOpen: boolean,
  normaliser: Normaliser,
): Dialogue {
  if (adapter.createDialogue) return totalDialogue(adapter.createDialogue(options))
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
