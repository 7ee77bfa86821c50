import type { DialogueCommand } from '../contract/dialogue.ts'
import type { AgentEventDraft } from '../contract/event-drafts.ts'
import type { AgentEvent, ApprovalRequestEvent, InputRequiredEvent } from '../contract/events.ts'
import type { InteractionResponse, PendingInteraction } from '../contract/run-handle.ts'
import type { RunOptions } from '../contract/run-options.ts'
import type { Interactions } from './interactions.ts'
import { type PolicyRules, policyRules } from './policy-rules.ts'

type Request = ApprovalRequestEvent | InputRequiredEvent

interface ResponderSubject {
  options: RunOptions
  /** Nobody can be asked. */
  isUnattended?: boolean | undefined
  policyIsElsewhere?: boolean | undefined
}

/** An answer, and who has given it. */
type Answer = InteractionResponse & { by?: 'policy' }

interface ResponderPort {
  emit(draft: AgentEventDraft): void
  /** Gives the agent its answer and, once the agent can take it, emits it as an event. */
  answer(command: DialogueCommand, event: AgentEventDraft | null): void
}

/** Decides who answers a question or an approval (the mode, a policy, a callback, or the caller) and passes the answer on. */
export class Responder {
  readonly interactions: Interactions
  readonly refusedQuestions: string[] = []
  readonly #options: RunOptions
  readonly #isUnattended: boolean
  readonly #port: ResponderPort
  readonly #rules: PolicyRules | null
  #requests: Request[] = []

  constructor(
    { options, isUnattended = false, policyIsElsewhere = false }: ResponderSubject,
    interactions: Interactions,
    port: ResponderPort,
  ) {
    this.interactions = interactions
    interactions.onResponse = (interaction, response) => this.#respond(interaction, response)
    this.#options = options
    this.#isUnattended = isUnattended
    this.#rules = policyIsElsewhere ? null : policyRules(options)
    this.#port = port
  }

  note(event: AgentEvent): void {
    if (event.type === 'approval_request' || event.type === 'input_required') this.#requests.push(event)
    if (event.type !== 'approval_granted' && event.type !== 'approval_denied') return
    this.interactions.remove(event.interactionId)
    this.#requests = this.#requests.filter((request) => request.interactionId !== event.interactionId)
  }

  /** Forgets what was asked: the process that wanted an answer is gone. */
  reset(): void {
    this.#requests = []
    this.refusedQuestions.length = 0
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

  #automaticAnswer(request: Request): (() => Promise<Answer>) | null {
    const { approvalMode, onApprovalRequest, onInputRequired } = this.#options
    if (request.type === 'input_required') {
      return onInputRequired ? async () => ({ type: 'text', text: await onInputRequired(request) }) : null
    }
    if (approvalMode === 'deny') {
      return async () => ({ type: 'deny', reason: 'The run was started with approval mode "deny".' })
    }
    const verdict = this.#rules?.(request)
    if (verdict?.decision === 'allow') return async () => ({ type: 'approve', by: 'policy', detail: verdict.reason })
    if (verdict?.decision === 'deny') return async () => ({ type: 'deny', by: 'policy', reason: verdict.reason })
    if (onApprovalRequest) return async () => ({ type: await onApprovalRequest(request) })
    if (verdict && this.#isUnattended) {
      return async () => ({ type: 'deny', by: 'policy', reason: `${verdict.reason} Nobody is there to ask.` })
    }
    return approvalMode === 'yolo' ? async () => ({ type: 'approve' }) : null
  }

  async #answer(interaction: PendingInteraction, answer: () => Promise<Answer>): Promise<void> {
    let response: Answer
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
    const by = 'by' in response && response.by === 'policy' ? ({ by: 'policy' } as const) : {}
    if (type === 'approval' && response.type === 'approve') {
      // What a rule gives as its reason is for people: some agents take a detail for a choice.
      const { detail, reason } = by.by
        ? { detail: undefined, reason: response.detail }
        : { ...response, reason: undefined }
      const event: AgentEventDraft = { type: 'approval_granted', ...about, ...(reason && { reason }), ...by }
      this.#port.answer({ type: 'approve', ...about, detail }, event)
    } else if (response.type === 'deny') {
      const { reason } = response
      const event: AgentEventDraft | null =
        type === 'approval' ? { type: 'approval_denied', ...about, reason, ...by } : null
      this.#port.answer({ type: 'deny', ...about, reason }, event)
      if (event === null) this.refusedQuestions.push(description)
    } else {
      const text = response.type === 'text' ? response.text : (response.detail ?? 'yes')
      this.#port.answer({ type: 'answer', ...about, text }, null)
    }
  }
}
