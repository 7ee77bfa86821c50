import type { DialogueCommand } from '../contract/dialogue.ts'
import type { AgentEventDraft } from '../contract/event-drafts.ts'
import type { AgentEvent, ApprovalRequestEvent, InputRequiredEvent } from '../contract/events.ts'
import type { InteractionResponse, PendingInteraction } from '../contract/run-handle.ts'
import type { RunOptions } from '../contract/run-options.ts'
import { Interactions } from './interactions.ts'

type Request = ApprovalRequestEvent | InputRequiredEvent

interface ResponderPort {
  emit(draft: AgentEventDraft): void
  command(command: DialogueCommand): void
}

/** Decides who answers a question or an approval (the mode, a callback, or the caller) and passes the answer on. */
export class Responder {
  readonly interactions = new Interactions((interaction, response) => this.#respond(interaction, response))
  readonly refusedQuestions: string[] = []
  readonly #options: RunOptions
  readonly #port: ResponderPort
  #requests: Request[] = []

  constructor(options: RunOptions, port: ResponderPort) {
    this.#options = options
    this.#port = port
  }

  note(event: AgentEvent): void {
    if (event.type === 'approval_request' || event.type === 'input_required') this.#requests.push(event)
    if (event.type !== 'approval_granted' && event.type !== 'approval_denied') return
    this.interactions.remove(event.interactionId)
    this.#requests = this.#requests.filter((request) => request.interactionId !== event.interactionId)
  }

  /** Takes up the requests that the agent has not settled itself in the same breath. */
  settle(): void {
    if (this.#requests.length === 0) return
    const requests = this.#requests
    this.#requests = []
    for (const request of requests) {
      const interaction = this.interactions.add(request)
      const answer = this.#automaticAnswer(request)
      if (answer === null) this.interactions.announce(interaction)
      else void this.#answer(interaction, answer)
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
    if (this.interactions.has(interaction.id)) this.interactions.respond(interaction.id, response)
  }

  #respond({ id, type, description }: PendingInteraction, response: InteractionResponse): void {
    if (type === 'approval' && response.type === 'approve') {
      this.#port.emit({ type: 'approval_granted', interactionId: id })
      this.#port.command({ type: 'approve', interactionId: id, detail: response.detail })
    } else if (response.type === 'deny') {
      if (type === 'approval') this.#port.emit({ type: 'approval_denied', interactionId: id, reason: response.reason })
      else this.refusedQuestions.push(description)
      this.#port.command({ type: 'deny', interactionId: id, reason: response.reason })
    } else {
      const text = response.type === 'text' ? response.text : (response.detail ?? 'yes')
      this.#port.command({ type: 'answer', interactionId: id, text })
    }
  }
}
