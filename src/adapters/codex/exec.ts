import type { DialogueExit, Effect } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { asRecord, asString, type JsonRecord } from '../../core/json.ts'
import { exitFailure, Retries, turnFailure } from './errors.ts'
import { ItemReader, itemType } from './items.ts'
import { turnUsage } from './usage.ts'

/** The answer to `outputSchema` is the last message, which should be JSON. */
export function structuredOutput(options: RunOptions, text: string): Effect[] {
  if (!options.outputSchema) return []
  try {
    return [{ structuredOutput: JSON.parse(text) }]
  } catch {
    return [
      { emit: { type: 'debug', level: 'warn', message: 'The answer is not JSON, though outputSchema was given.' } },
    ]
  }
}

/** Reads `codex exec --json`: one turn, whole items, nothing to answer. */
export class ExecReader {
  readonly #options: RunOptions
  readonly #items: ItemReader
  readonly #retries = new Retries()
  readonly #told = new Set<string>()
  #lastError: string | undefined
  #settled = false

  constructor(options: RunOptions) {
    this.#options = options
    this.#items = new ItemReader({ cwd: options.cwd })
  }

  onRecord(record: JsonRecord): Effect[] {
    switch (record.type) {
      case 'thread.started':
        return this.#session(asString(record.thread_id) ?? '')
      case 'turn.started':
        this.#settled = false
        return [{ emit: { type: 'turn_start' } }]
      case 'item.started':
        return this.#items.started(asRecord(record.item) ?? {})
      case 'item.updated':
        return []
      case 'item.completed':
        return this.#completed(asRecord(record.item) ?? {})
      case 'turn.completed':
        this.#settled = true
        return [
          ...this.#usage(record.usage),
          ...structuredOutput(this.#options, this.#items.lastMessage),
          { emit: { type: 'turn_end' } },
        ]
      case 'turn.failed':
        this.#settled = true
        return [
          ...turnFailure(asString(asRecord(record.error)?.message) ?? this.#lastError ?? 'The turn failed.'),
          { emit: { type: 'turn_end' } },
        ]
      case 'error':
        return this.#error(asString(record.message) ?? '')
      default:
        return [{ unrecognized: asString(record.type) ?? 'untyped' }]
    }
  }

  onExit(exit: DialogueExit): Effect[] {
    return this.#settled ? [] : exitFailure(exit, this.#lastError)
  }

  #session(sessionId: string): Effect[] {
    const { forkSessionId } = this.#options
    const resumed = this.#options.sessionId !== undefined
    return [{ emit: { type: 'session_start', sessionId, resumed, forkedFrom: forkSessionId } }]
  }

  #completed(item: JsonRecord): Effect[] {
    const type = itemType(item)
    if (type === 'error') {
      return [{ emit: { type: 'debug', level: 'warn', message: asString(item.message) ?? '' } }]
    }
    this.#retries.reset()
    const fallback = type === 'agentMessage' ? 'text' : type === 'reasoning' ? 'thinking' : null
    const effects = this.#items.completed(item)
    if (fallback === null || this.#told.has(fallback)) return effects
    this.#told.add(fallback)
    const reason = 'codex exec tells whole items only'
    return [{ emit: { type: 'stream_fallback', capability: fallback, reason } }, ...effects]
  }

  /** On resume and fork exec tells the usage of the whole thread: better none than a wrong one. */
  #usage(usage: unknown): Effect[] {
    const record = asRecord(usage)
    if (!record) return []
    if (this.#options.sessionId === undefined && this.#options.forkSessionId === undefined) {
      return turnUsage(record, this.#options.model)
    }
    const message = 'Usage is unknown: codex exec tells only the sum over all turns of a resumed thread.'
    return [{ emit: { type: 'debug', level: 'warn', message } }]
  }

  /** Besides retries, the message that `turn.failed` repeats. */
  #error(message: string): Effect[] {
    const retry = this.#retries.read(message)
    if (retry === null) {
      this.#lastError = message
      return []
    }
    if (!retry.some((effect) => 'fail' in effect)) return retry
    this.#settled = true
    return [...retry, { emit: { type: 'turn_end' } }]
  }
}
