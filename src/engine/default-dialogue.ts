import type { AgentAdapter } from '../contract/adapter.ts'
import type { Dialogue, DialogueExit, Effect } from '../contract/dialogue.ts'
import { AGENT_EVENT_TYPES, isTerminalEvent } from '../contract/event-guards.ts'
import type { AgentEvent, StreamSource } from '../contract/events.ts'
import type { RunOptions } from '../contract/run-options.ts'
import type { ParseContext } from '../contract/spawn.ts'
import { StreamAssembler } from '../contract/stream-assembler.ts'
import { isRecord } from '../core/json.ts'
import type { Normaliser } from './normaliser.ts'
import { outcomeOfEvent } from './outcome.ts'
import { parseError, totalDialogue } from './total-dialogue.ts'

const EVENT_TYPES: ReadonlySet<unknown> = new Set(AGENT_EVENT_TYPES)

/**
 * For adapters with only the documented minimum, `buildSpawnArgs` and `parseEvent`. Whatever such an adapter does
 * wrong (throws, returns rubbish) becomes an event; the run goes on.
 */
export class DefaultDialogue implements Dialogue {
  readonly #adapter: AgentAdapter
  readonly #context: ParseContext
  readonly #stdinIsOpen: boolean
  #crashed = false

  constructor(adapter: AgentAdapter, context: ParseContext, stdinIsOpen: boolean) {
    this.#adapter = adapter
    this.#context = context
    this.#stdinIsOpen = stdinIsOpen
  }

  start(): Effect[] {
    return []
  }

  onLine(line: string, source: StreamSource): Effect[] {
    this.#context.source = source
    let parsed: AgentEvent | AgentEvent[] | null
    try {
      parsed = this.#adapter.parseEvent(line, this.#context)
    } catch (error) {
      return [parseError(`${this.#adapter.agent}: parseEvent failed`, error)]
    }
    if (parsed === null || parsed === undefined) return [{ unrecognized: 'line' }]
    return (Array.isArray(parsed) ? parsed : [parsed]).map((event) => this.#effect(event))
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
    if (this.#crashed) return effects
    try {
      const events = this.#adapter.onProcessExit?.(exitCode ?? -1, signal) ?? []
      for (const event of events) {
        effects.push(this.#effect(event.type === 'crash' && event.stderr === '' ? { ...event, stderr } : event))
      }
    } catch (error) {
      effects.push(parseError(`${this.#adapter.agent}: onProcessExit failed`, error))
    }
    return effects
  }

  #effect(given: AgentEvent): Effect {
    if (!isRecord(given) || !EVENT_TYPES.has(given.type)) {
      return parseError(`${this.#adapter.agent}: not an event`, JSON.stringify(given)?.slice(0, 200))
    }
    // A copy: events are completed in place, and an adapter may hand out the same object twice.
    const event = { ...given }
    if (!isTerminalEvent(event)) return { emit: event }
    this.#crashed ||= event.type === 'crash'
    return { fail: { event, outcome: outcomeOfEvent(event) } }
  }
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
