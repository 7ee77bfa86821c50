import { AgentMuxError } from '../contract/errors.ts'
import type { ApprovalRequestEvent, InputRequiredEvent } from '../contract/events.ts'
import type { InteractionChannel, InteractionResponse, PendingInteraction } from '../contract/run-handle.ts'
import { pendingInteraction } from '../core/pending-interaction.ts'

type OnResponse = (interaction: PendingInteraction, response: InteractionResponse) => void

/** What waits for an answer. Knows nothing of protocols: answers go to `onResponse`. */
export class Interactions implements InteractionChannel {
  readonly #pending = new Map<string, PendingInteraction>()
  readonly #watchers = new Set<(interaction: PendingInteraction) => void>()
  /** Set by the responder, before anything can be pending. */
  onResponse: OnResponse = () => {}

  get pending(): readonly PendingInteraction[] {
    return [...this.#pending.values()]
  }

  onPending(callback: (interaction: PendingInteraction) => void): () => void {
    this.#watchers.add(callback)
    return () => this.#watchers.delete(callback)
  }

  respond(id: string, response: InteractionResponse): void {
    const interaction = this.#pending.get(id)
    if (!interaction) {
      const open = this.pending.map((one) => one.id).join(', ') || 'none'
      throw new AgentMuxError('INTERACTION_NOT_FOUND', `No interaction ${id} is pending (pending: ${open})`)
    }
    if (interaction.type === 'approval' && response.type === 'text') {
      throw new AgentMuxError('INVALID_STATE_TRANSITION', `${id} is an approval: answer with approve or deny`)
    }
    this.#pending.delete(id)
    try {
      this.onResponse(interaction, response)
    } catch (error) {
      this.#pending.set(id, interaction) // the answer did not reach the agent, so it still waits
      throw error
    }
  }

  /** The oldest one of a kind, for `approve()` and `deny()`. */
  respondToOldest(response: InteractionResponse): void {
    const oldest = this.pending.find((one) => one.type === 'approval') ?? this.pending[0]
    if (!oldest) throw new AgentMuxError('NO_PENDING_INTERACTION', 'Nothing waits for an answer')
    this.respond(oldest.id, response)
  }

  approveAll(): void {
    for (const { id, type } of this.pending) if (type === 'approval') this.respond(id, { type: 'approve' })
  }

  denyAll(reason?: string): void {
    for (const { id } of this.pending) this.respond(id, { type: 'deny', reason })
  }

  add(event: ApprovalRequestEvent | InputRequiredEvent): PendingInteraction {
    const interaction = pendingInteraction(event)
    this.#pending.set(interaction.id, interaction)
    return interaction
  }

  /** A watcher that throws harms nobody else; its error comes back to be reported. */
  announce(interaction: PendingInteraction): unknown[] {
    const errors: unknown[] = []
    for (const watcher of [...this.#watchers]) {
      if (!this.#pending.has(interaction.id)) break // answered by the one before
      try {
        watcher(interaction)
      } catch (error) {
        errors.push(error)
      }
    }
    return errors
  }

  has(id: string): boolean {
    return this.#pending.has(id)
  }

  /** The agent took the question back, or the run ended. */
  remove(id: string): void {
    this.#pending.delete(id)
  }
}
