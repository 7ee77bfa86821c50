import type { Effect } from '../../contract/dialogue.ts'
import type { AgentEventDraft } from '../../contract/event-drafts.ts'
import type { RiskLevel } from '../../contract/events.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { asArray, asRecord, asRecords, asString, type JsonRecord } from '../../core/json.ts'
import { TOOLS } from '../families/opencode/tools.ts'
import type { AnswerCommand } from '../kit/commands.ts'
import { toolAccess } from '../kit/tool-access.ts'
import { request } from './http.ts'
import { callOf, type DialogueState, type PendingRequest } from './state.ts'

const RISKS: Readonly<Record<string, RiskLevel>> = { read: 'low', bash: 'high', external_directory: 'high' }

/** Nobody is there to ask, or asking is not wanted. */
function declines({ nonInteractive, approvalMode }: DialogueState['options']): boolean {
  return nonInteractive === true || approvalMode === 'deny'
}

function permissionReply(state: DialogueState, id: string, reply: string, message?: string): Effect {
  return request(state, 'reply', 'POST', `/permission/${id}/reply`, { reply, message })
}

/** Of the call itself, where it is known. Else only what a person is shown. */
function accessOf(state: DialogueState, action: string, toolCallId = '', metadata: JsonRecord = {}) {
  const { toolName, input } = state.tools.get(toolCallId)?.call ?? { toolName: action, input: metadata }
  return { input, ...toolAccess(TOOLS, toolName, input) }
}

/** The server waits for the answer, so every request must get one. */
export function permissionAsked(state: DialogueState, properties: JsonRecord): Effect[] {
  const id = asString(properties.id) ?? ''
  if (callOf(state, asString(properties.sessionID) ?? '') === null) return NO_EFFECTS
  if (state.live && state.options.approvalMode === 'yolo') return [permissionReply(state, id, 'once')]
  const action = asString(properties.permission) ?? 'tool'
  const toolCallId = asString(asRecord(properties.tool)?.callID)
  if (toolCallId !== undefined) state.asked.add(toolCallId)
  const asked: AgentEventDraft = {
    type: 'approval_request',
    interactionId: id,
    action,
    detail: asArray(properties.patterns).map(String).join(', '),
    toolName: action,
    toolCallId,
    riskLevel: RISKS[action] ?? 'medium',
    ...accessOf(state, action, toolCallId, asRecord(properties.metadata)),
  }
  if (!state.live || !declines(state.options)) {
    state.pending.set(id, { kind: 'permission', id })
    return [{ emit: asked }]
  }
  const reason = state.options.approvalMode === 'deny' ? 'The approval mode is deny.' : 'Nobody is there to ask.'
  const denied: Effect = { emit: { type: 'approval_denied', interactionId: id, reason } }
  return [{ emit: asked }, denied, permissionReply(state, id, 'reject')]
}

/** In a recording somebody has answered. */
export function permissionReplied(state: DialogueState, properties: JsonRecord): Effect[] {
  const interactionId = asString(properties.requestID) ?? ''
  if (!state.pending.delete(interactionId) || state.live) return NO_EFFECTS
  const type = properties.reply === 'reject' ? 'approval_denied' : 'approval_granted'
  return [{ emit: { type, interactionId } }]
}

export function questionAsked(state: DialogueState, properties: JsonRecord): Effect[] {
  const id = asString(properties.id) ?? ''
  if (callOf(state, asString(properties.sessionID) ?? '') === null) return NO_EFFECTS
  const questions = asRecords(properties.questions)
  if (state.live && state.options.nonInteractive) return [request(state, 'reply', 'POST', `/question/${id}/reject`, {})]
  const answers: (string | undefined)[] = questions.map(() => undefined)
  return questions.map((question, index): Effect => {
    const interactionId = `${id}:${index}`
    state.pending.set(interactionId, { kind: 'question', id, index, answers })
    const options = asRecords(question.options).flatMap(({ label }) => asString(label) ?? [])
    const context = asString(question.header)
    const text = asString(question.question) ?? ''
    return { emit: { type: 'input_required', interactionId, question: text, context, options, source: 'agent' } }
  })
}

function questionAnswer(state: DialogueState, ask: Extract<PendingRequest, { kind: 'question' }>, text: string) {
  ask.answers[ask.index] = text
  if (ask.answers.some((answer) => answer === undefined)) return NO_EFFECTS
  const answers = ask.answers.map((answer) => [answer ?? ''])
  return [request(state, 'reply', 'POST', `/question/${ask.id}/reply`, { answers })]
}

/** The one who decides also emits it: this only passes the decision on. Null: it does not fit what was asked. */
export function answer(state: DialogueState, command: AnswerCommand): Effect[] | null {
  const ask = state.pending.get(command.interactionId)
  if (!ask || (ask.kind === 'permission') !== (command.type !== 'answer')) {
    if (ask?.kind !== 'question' || command.type !== 'deny') return null
    state.pending.delete(command.interactionId)
    return [request(state, 'reply', 'POST', `/question/${ask.id}/reject`, {})]
  }
  state.pending.delete(command.interactionId)
  if (ask.kind === 'question') return questionAnswer(state, ask, command.type === 'answer' ? command.text : '')
  if (command.type === 'deny') return [permissionReply(state, ask.id, 'reject', command.reason)]
  const always = command.type === 'approve' && command.detail === 'always'
  return [permissionReply(state, ask.id, always ? 'always' : 'once')]
}
