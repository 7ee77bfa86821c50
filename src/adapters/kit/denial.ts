import type { Effect } from '../../contract/dialogue.ts'
import type { ToolCall } from './tools.ts'

/** A call that the agent's own rules have refused. Nobody was asked, so a request and its answer at once. */
export function ownDenial(
  { toolCallId, toolName }: Pick<ToolCall, 'toolCallId' | 'toolName'>,
  reason: string,
  detail = reason,
): Effect[] {
  const request = { action: toolName, detail, toolName, toolCallId, riskLevel: 'medium' } as const
  return [
    { emit: { type: 'approval_request', interactionId: toolCallId, ...request } },
    { emit: { type: 'approval_denied', interactionId: toolCallId, reason } },
  ]
}
