import type { AgentEventType } from '../contract/events.ts'
import type { DeliveryTime } from '../contract/run-handle.ts'

export interface DeferredPrompt {
  text: string
  when: DeliveryTime
  command: 'user_turn' | 'steer'
}

/** The end of the turn is in each: a prompt whose moment did not come is late, not lost. */
const TRIGGERS: Record<DeliveryTime, readonly AgentEventType[]> = {
  'next-turn': ['turn_end'],
  'after-tool': ['tool_result', 'tool_error', 'turn_end'],
  'after-response': ['message_stop', 'turn_end'],
}

/** Prompts that wait for their moment. Those for the next turn go one at a time, in order. */
export class DeferredPrompts {
  #waiting: DeferredPrompt[] = []

  get size(): number {
    return this.#waiting.length
  }

  add(prompt: DeferredPrompt): void {
    this.#waiting.push(prompt)
  }

  /** The prompts whose moment this event is. */
  take(type: AgentEventType): DeferredPrompt[] {
    if (this.#waiting.length === 0) return []
    const due = this.#waiting.filter(({ when }) => TRIGGERS[when].includes(type))
    const firstTurn = due.find(({ command }) => command === 'user_turn')
    const taken = due.filter((prompt) => prompt.command === 'steer' || prompt === firstTurn)
    this.#waiting = this.#waiting.filter((prompt) => !taken.includes(prompt))
    return taken
  }
}
