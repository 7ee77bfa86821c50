import type { ApprovalRequestEvent, InputRequiredEvent } from '../contract/events.ts'
import type { PendingInteraction } from '../contract/run-handle.ts'

/** A request of the agent as something that waits for an answer. */
export function pendingInteraction(event: ApprovalRequestEvent | InputRequiredEvent): PendingInteraction {
  const base = { id: event.interactionId, runId: event.runId, createdAt: event.timestamp }
  if (event.type === 'approval_request') {
    const { action, toolName, riskLevel, detail, input, kind, paths, command, cwd } = event
    const access = kind === undefined ? {} : { access: { kind, paths, command, cwd } }
    return {
      ...base,
      type: 'approval',
      description: detail || action,
      detail: { kind: 'approval', action, toolName, riskLevel, ...(input === undefined ? {} : { input }), ...access },
    }
  }
  const { question, context, options, source } = event
  return {
    ...base,
    type: 'input',
    description: question,
    detail: { kind: 'input', question, context, options, source },
  }
}
