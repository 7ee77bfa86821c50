import type { DialogueCommand } from '../contract/dialogue.ts'
import type { AgentEventDraft } from '../contract/event-drafts.ts'
import type { AgentEvent, ApprovalRequestEvent, InputRequiredEvent } from '../contract/events.ts'
import type { InteractionResponse, PendingInteraction } from '../contract/run-handle.ts'
import type { RunOptions } from '../contract/run-options.ts'
import type { Interactions } from './interactions.ts'

type Request = ApprovalRequestEvent | InputRequiredEvent

interface ResponderPort {
  emit(draft: AgentEventDraft): void
  /** Gives the agent its answer and, once the agent can take it, tells it to the world. */
  answer(command: DialogueCommand, event: AgentEventDraft | null): void
}

/** Decides who answers a question or an approval (the mode, a callback, or the caller) and passes the answer on. */
export class Responder {
  readonly interactions: Interactions
  readonly refusedQuestions: string[] = []
  readonly #options: RunOptions
  readonly #port: ResponderPort
  #requests: Request[] = []

  constructor(options: RunOptions, interactions: Interactions, port: ResponderPort) {
    this.interactions = interactions
    interactions.onResponse = (interaction, response) => this.#respond(interaction, response)
    this.#options = options
    this.#port = port
  }

  note(event: AgentEvent): void {
    if (event.type === 'approval_request' || event.type === 'input_required') this.#requests.push(event)
    if (event.type !== 'approval_granted' && event.type !== 'approval_denied') return
    this.interactions.remove(event.interactionId)
    this.#requests = this.#requests.filter((request) => request.interactionId !== event.interactionId)
  }

  /** Forgets what is open: whoever asked is gone. */
  reset(): void {
    this.#requests = []
    for (const { id } of this.interactions.pending) this.interactions.remove(id)
  }

  /** Takes up the requests that the agent has not settled itself in the same breath. */
  settle(): void {
    if (this.#requests.length === 0) return
    const requests = this.#requests
    this.#requests = []
    for (const request of requests) {
      const interaction = this.interactions.add(request)
      const answer = this.#automaticAnswer(request)
      if (answer !== null) void this.#answer(interaction, answer)
      else for (const error of this.interactions.announce(interaction)) this.#warn('An onPending callback threw', error)
    }
  }

  #automaticAnswer(request: Request): (() => Promise<InteractionResponse>) | null {
    const { approvalMode, onApprovalRequest, onInputRequired } = this.#options
    if (request.type === 'input_required') {
      return onInputRequired ? async () => ({ type: 'text', text: await onInputRequired(request) }) : null
    }
    if (approvalMode === 'deny') {
      return async () => ({ type: 'deny', reason: 'The run was started with approval mode "deny".' })
    }
    if (onApprovalRequest) return async () => ({ type: await onApprovalRequest(request) })
    return approvalMode === 'yolo' ? async () => ({ type: 'approve' }) : null
  }

  async #answer(interaction: PendingInteraction, answer: () => Promise<InteractionResponse>): Promise<void> {
    let response: InteractionResponse
    try {
      response = await answer()
    } catch (error) {
      // A broken callback must not approve anything.
      response = { type: 'deny', reason: `The callback failed: ${error instanceof Error ? error.message : error}` }
    }
    // The caller, or the end of the run, may have been faster.
    if (!this.interactions.has(interaction.id)) return
    try {
      this.interactions.respond(interaction.id, response)
    } catch (error) {
      this.#warn('The automatic answer did not reach the agent', error)
    }
  }

  #warn(what: string, error: unknown): void {
    const message = `${what}: ${error instanceof Error ? error.message : error}`
    this.#port.emit({ type: 'debug', level: 'warn', message })
  }

  #respond({ id, type, description }: PendingInteraction, response: InteractionResponse): void {
    const about = { interactionId: id }
    if (type === 'approval' && response.type === 'approve') {
      this.#port.answer({ type: 'approve', ...about, detail: response.detail }, { type: 'approval_granted', ...about })
    } else if (response.type === 'deny') {
      const { reason } = response
      const event: AgentEventDraft | null = type === 'approval' ? { type: 'approval_denied', ...about, reason } : null
      this.#port.answer({ type: 'deny', ...about, reason }, event)
      if (event === null) this.refusedQuestions.push(description)
    } else {
      const text = response.type === 'text' ? response.text : (response.detail ?? 'yes')
      this.#port.answer({ type: 'answer', ...about, text }, null)
    }
  }
}
