import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { asArray, asRecord, asString, type JsonRecord, textOf } from '../../core/json.ts'
import { toolAccess } from '../kit/tool-access.ts'
import type { DialogueState } from './state.ts'
import { TOOLS } from './tools.ts'

/** What the CLI asks of its user, which a one-shot run does only where a host answers for it. Null: something else. */
export function requestRecord(state: DialogueState, type: string, data: JsonRecord): Effect[] | null {
  const interactionId = asString(data.requestId) ?? ''
  switch (type) {
    case 'permission.requested':
      return data.resolvedByHook === true ? NO_EFFECTS : permission(state, interactionId, data)
    case 'permission.completed':
      return decided(state, interactionId, /^approved/.test(textOf(asRecord(data.result)?.kind)))
    case 'exit_plan_mode.requested':
      return approval(state, interactionId, 'exit_plan_mode', asString(data.summary) ?? '')
    case 'exit_plan_mode.completed':
      return decided(state, interactionId, data.approved === true)
    case 'user_input.requested':
    case 'elicitation.requested':
      return [question(interactionId, data)]
    default:
      return null
  }
}

function permission(state: DialogueState, interactionId: string, data: JsonRecord): Effect[] {
  const request = asRecord(data.permissionRequest) ?? {}
  const detail = asString(request.fullCommandText) ?? asString(request.intention) ?? asString(request.path) ?? ''
  return approval(state, interactionId, asString(request.kind) ?? '', detail, asString(request.toolCallId))
}

function approval(
  state: DialogueState,
  interactionId: string,
  action: string,
  detail: string,
  toolCallId?: string,
): Effect[] {
  state.asked.set(interactionId, toolCallId)
  const riskLevel = action === 'shell' ? 'high' : action === 'read' ? 'low' : 'medium'
  const call = toolCallId === undefined ? undefined : state.calls.get(toolCallId)
  const about = { action, detail, toolName: call?.toolName, toolCallId, riskLevel } as const
  const known = call ? { input: call.input, ...toolAccess(TOOLS, call.toolName, call.input) } : {}
  return [{ emit: { type: 'approval_request', interactionId, ...about, ...known } }]
}

/** What nobody was asked for has no answer either. */
function decided(state: DialogueState, interactionId: string, isGranted: boolean): Effect[] {
  if (!state.asked.has(interactionId)) return NO_EFFECTS
  const toolCallId = state.asked.get(interactionId)
  state.asked.delete(interactionId)
  if (!isGranted && toolCallId !== undefined) state.denied.add(toolCallId)
  return [{ emit: { type: isGranted ? 'approval_granted' : 'approval_denied', interactionId } }]
}

function question(interactionId: string, data: JsonRecord): Effect {
  const text = asString(data.question) ?? asString(data.message) ?? ''
  const options = asArray(data.choices).map(textOf)
  const source = data.elicitationSource === undefined ? 'agent' : 'tool'
  return { emit: { type: 'input_required', interactionId, question: text, options, source } }
}
