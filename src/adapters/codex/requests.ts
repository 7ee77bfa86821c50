import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { asRecord, asString, type JsonRecord } from '../../core/json.ts'
import type { AnswerCommand } from '../kit/commands.ts'
import { approvalResult, isApproval, readApproval } from './approvals.ts'
import { openMcpCall } from './items.ts'
import { declinesRequests } from './options.ts'
import { questionResult, readQuestions } from './questions.ts'
import { refuse, reply } from './rpc.ts'
import type { DialogueState, PendingRequest, RequestId } from './state.ts'
import { itemsOf } from './subagents.ts'

/** Asked only of hosts that have offered it, or that speak the older protocol: they are refused. */
const OF_OTHERS: ReadonlySet<string> = new Set([
  'account/chatgptAuthTokens/refresh',
  'applyPatchApproval',
  'attestation/generate',
  'currentTime/read',
  'execCommandApproval',
  'item/tool/call',
])

/** The server asks its host. It waits for the answer, so every request must get one. */
export function serverRequest(state: DialogueState, id: RequestId, method: string, params: JsonRecord): Effect[] {
  const item = calledItem(state, method, params)
  const approval = readApproval(id, method, params, item)
  const asked = approval ? [approval] : readQuestions(id, method, params, item)
  if (asked.length === 0) {
    const unknown: Effect[] = OF_OTHERS.has(method) ? [] : [{ unrecognized: `request:${method}` }]
    return state.live ? [refuse(id, `agent-mux does not know ${method}`), ...unknown] : unknown
  }
  const effects = asked.map(({ event }): Effect => ({ emit: event }))
  for (const { request } of asked) state.pending.set(request.interactionId, request)
  if (!state.live || !declinesRequests(state.options)) return effects
  const reason = state.options.approvalMode === 'deny' ? 'The approval mode is deny.' : 'Nobody is there to ask.'
  for (const { request } of asked) {
    const { interactionId } = request
    effects.push(...(answer(state, { type: 'deny', interactionId, reason }) ?? NO_EFFECTS))
    if (isApproval(request)) effects.push({ emit: { type: 'approval_denied', interactionId, reason } })
  }
  return effects
}

/** The call that a request is about, where it has begun. */
function calledItem(state: DialogueState, method: string, params: JsonRecord): JsonRecord | undefined {
  const items = itemsOf(state, params) ?? state.items
  if (method === 'mcpServer/elicitation/request') return openMcpCall(items, params.serverName)
  return items.openCalls.get(asString(params.itemId) ?? '')
}

/** The one who decides also emits it: this only passes the decision on. Null: it does not fit what was asked. */
export function answer(state: DialogueState, command: AnswerCommand): Effect[] | null {
  const request = state.pending.get(command.interactionId)
  if (!request) return null
  const result = resultOf(request, command)
  if (result === null) return null
  state.pending.delete(command.interactionId)
  return result === undefined ? NO_EFFECTS : [reply(request.id, result)]
}

/** Null: the command does not fit. Undefined: more answers are needed. */
function resultOf(request: PendingRequest, command: AnswerCommand): JsonRecord | null | undefined {
  if (!isApproval(request)) return command.type === 'approve' ? null : questionResult(request, command)
  if (command.type === 'answer') return null
  const approved = command.type === 'approve'
  return approvalResult(request, approved, approved && command.detail === 'always')
}

/** In a recording the answer to an approval is not there, but what became of the call reports it. */
export function unseenVerdicts(state: DialogueState, item: JsonRecord): Effect[] {
  const itemId = asString(item.id)
  const effects: Effect[] = []
  for (const request of state.pending.values()) {
    const { interactionId } = request
    if (itemId === undefined || request.itemId !== itemId) continue
    state.pending.delete(interactionId)
    if (!isApproval(request)) continue
    const denied = item.status === 'declined' || /reject/.test(asString(asRecord(item.error)?.message) ?? '')
    effects.push({ emit: { type: denied ? 'approval_denied' : 'approval_granted', interactionId } })
  }
  return effects
}

/** Codex's own reviewer decided in place of the user. */
export function reviewed(params: JsonRecord, review: JsonRecord): Effect[] {
  const interactionId = asString(params.reviewId) ?? ''
  const reason = asString(review.rationale)
  const toolCallId = asString(params.targetItemId)
  const fields = { action: 'automatic review', detail: reason ?? '', toolCallId, riskLevel: 'high' } as const
  return [
    { emit: { type: 'approval_request', interactionId, ...fields } },
    review.status === 'approved'
      ? { emit: { type: 'approval_granted', interactionId } }
      : { emit: { type: 'approval_denied', interactionId, reason } },
  ]
}
