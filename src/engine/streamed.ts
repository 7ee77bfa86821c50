import type { AgentEvent } from '../contract/events.ts'

/** What readers have seen of the model's words and calls, and can be asked to take back. */
interface Streamed {
  text: string
  toolCallIds: string[]
}

interface Withdrawn extends Streamed {
  /** The last message that still counts. */
  textBefore: string
}

const nothing = (): Streamed => ({ text: '', toolCallIds: [] })

/** Ends a response of the model: what comes next answers something new. */
const BOUNDARY: ReadonlySet<AgentEvent['type']> = new Set(['turn_start', 'turn_end', 'tool_result', 'tool_error'])

/**
 * Remembers what was streamed, so that it can be withdrawn: the response under way, and, where a run may be tried again
 * as a whole, all of it.
 */
export class StreamedLog {
  readonly #keepsRun: boolean
  #run = nothing()
  #response = nothing()
  #lastText = ''
  #textBefore = ''
  #isClosing = false

  constructor(keepsRun: boolean) {
    this.#keepsRun = keepsRun
  }

  /** The messages of the response under way that have ended. */
  get text(): string {
    return this.#response.text
  }

  note(event: AgentEvent): void {
    if (event.type === 'message_stop') {
      this.#lastText = event.text
      this.#add(event.text, [])
    } else if (event.type === 'tool_call_start') this.#add('', [event.toolCallId])
    else if (BOUNDARY.has(event.type) && !this.#isClosing) this.newResponse()
  }

  /** What was said so far is kept, except calls that are still being written. */
  newResponse(partialCalls: readonly string[] = []): void {
    this.#response = { text: '', toolCallIds: [...partialCalls] }
    this.#textBefore = this.#lastText
  }

  /** `close` ends what is open, which belongs to what is withdrawn. */
  withdraw(scope: 'run' | 'response', close: () => void): Withdrawn {
    this.#isClosing = true
    close()
    this.#isClosing = false
    const withdrawn = scope === 'run' ? this.#run : this.#response
    const textBefore = scope === 'run' ? '' : this.#textBefore
    if (scope === 'run') this.#run = nothing()
    else this.#forget(withdrawn)
    this.#lastText = textBefore
    this.newResponse()
    return { ...withdrawn, textBefore }
  }

  #add(text: string, toolCallIds: readonly string[]): void {
    for (const streamed of this.#keepsRun ? [this.#run, this.#response] : [this.#response]) {
      streamed.text += text
      streamed.toolCallIds.push(...toolCallIds)
    }
  }

  /** What a response has taken back is not taken back again with its run. */
  #forget({ text, toolCallIds }: Streamed): void {
    if (!this.#keepsRun) return
    this.#run.text = this.#run.text.slice(0, this.#run.text.length - text.length)
    this.#run.toolCallIds = this.#run.toolCallIds.filter((id) => !toolCallIds.includes(id))
  }
}
