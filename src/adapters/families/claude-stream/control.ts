import type { Effect } from '../../../contract/dialogue.ts'
import type { RiskLevel } from '../../../contract/events.ts'
import { NO_EFFECTS, writeLine } from '../../../core/effects.ts'
import { asRecord, asRecords, asString, isRecord, type JsonRecord, textOf } from '../../../core/json.ts'
import { decide } from '../../kit/commands.ts'
import { toolAccess } from '../../kit/tool-access.ts'
import type { ToolMap } from '../../kit/tools.ts'
import type { DialogueState, PendingRequest } from './state.ts'

function reply(requestId: string, response: object): Effect {
  const line = { type: 'control_response', response: { subtype: 'success', request_id: requestId, response } }
  return writeLine(line)
}

/** A request of ours. Its answer is recognised by the name in the id. */
export function request(state: DialogueState, body: { subtype: string; [field: string]: unknown }): Effect {
  state.requestCount += 1
  const request_id = `amux-${body.subtype}-${state.requestCount}`
  return writeLine({ type: 'control_request', request_id, request: body })
}

function riskOf(tools: ToolMap, toolName: string): RiskLevel {
  const kind = tools[toolName]?.kind
  return kind === 'shell' ? 'high' : kind === 'read' ? 'low' : 'medium'
}

/** The part of the input that a person needs to see to decide. */
function detailOf(tools: ToolMap, toolName: string, input: unknown): string {
  if (!isRecord(input)) return textOf(input)
  const tool = tools[toolName]
  const field = tool?.kind === 'shell' ? tool.command : tool && 'path' in tool ? tool.path : 'plan'
  return asString(input[field]) ?? JSON.stringify(input)
}

interface ToolRequest {
  interactionId: string
  toolName: string
  toolCallId?: string
  input: unknown
}

function approvalRequest(tools: ToolMap, { interactionId, toolName, toolCallId, input }: ToolRequest): Effect {
  const detail = detailOf(tools, toolName, input)
  const riskLevel = riskOf(tools, toolName)
  const about = { action: toolName, detail, toolName, toolCallId, riskLevel }
  const access = toolAccess(tools, toolName, input)
  return { emit: { type: 'approval_request', interactionId, ...about, input, ...access } }
}

/** A tool that the CLI denied by itself: a request and its answer at once. */
export function denial(
  state: DialogueState,
  { toolCallId, toolName, input, reason }: { toolCallId: string; toolName: string; input: unknown; reason?: string },
): Effect[] {
  if (state.denied.has(toolCallId)) return NO_EFFECTS
  state.denied.add(toolCallId)
  return [
    approvalRequest(state.dialect.tools, { interactionId: toolCallId, toolName, toolCallId, input }),
    { emit: { type: 'approval_denied', interactionId: toolCallId, reason } },
  ]
}

/** What a host has to say that has set no hooks and shows no forms of MCP servers. */
const ANSWERS: Readonly<Record<string, JsonRecord>> = {
  hook_callback: {},
  elicitation: { action: 'cancel' },
}

/** The CLI asks its host. It waits for the answer, so every request must get one. */
export function controlRequest(state: DialogueState, record: JsonRecord): Effect[] {
  const requestId = asString(record.request_id) ?? ''
  const body = asRecord(record.request) ?? {}
  if (body.subtype !== 'can_use_tool') {
    const name = textOf(body.subtype)
    const known = ANSWERS[name]
    if (known) return [reply(requestId, known)]
    const response = { subtype: 'error', request_id: requestId, error: `Unsupported control request: ${name}` }
    return [writeLine({ type: 'control_response', response }), { unrecognized: `control_request/${name}` }]
  }
  const toolName = asString(body.tool_name) ?? ''
  const input = asRecord(body.input) ?? {}
  const toolCallId = asString(body.tool_use_id)
  const questions = toolName === state.dialect.questionTool ? asRecords(input.questions) : []
  const pending: PendingRequest = { input, toolCallId, questions: questions.map(questionText), answers: new Map() }
  state.pending.set(requestId, pending)
  if (questions.length > 0) {
    return questions.map((question, index) => inputRequired(requestId, questions.length, question, index))
  }
  const asked = approvalRequest(state.dialect.tools, { interactionId: requestId, toolName, toolCallId, input })
  if (state.options.approvalMode !== 'deny') return [asked]
  const reason = 'This run is read-only.'
  const denied: Effect = { emit: { type: 'approval_denied', interactionId: requestId, reason } }
  return [asked, denied, ...(deny(state, requestId, reason) ?? [])]
}

function questionText(question: JsonRecord): string {
  return asString(question.question) ?? ''
}

/** Several questions come in one request; each gets an interaction of its own. */
function inputRequired(requestId: string, count: number, question: JsonRecord, index: number): Effect {
  const options = asRecords(question.options)
  const described = options.filter((option) => option.description !== undefined)
  return {
    emit: {
      type: 'input_required',
      interactionId: count === 1 ? requestId : `${requestId}#${index}`,
      question: questionText(question),
      context:
        described.map((option) => `${textOf(option.label)}: ${textOf(option.description)}`).join('\n') || undefined,
      options: options.map((option) => textOf(option.label)),
      source: 'agent',
    },
  }
}

function approve(state: DialogueState, interactionId: string): Effect[] | null {
  const pending = state.pending.get(interactionId)
  if (!pending) return null
  state.pending.delete(interactionId)
  return [reply(interactionId, { behavior: 'allow', updatedInput: pending.input })]
}

/** The result line lists the call among its denials; that is not news then. */
function forget(state: DialogueState, requestId: string, { toolCallId }: PendingRequest): void {
  state.pending.delete(requestId)
  if (toolCallId !== undefined) state.denied.add(toolCallId)
}

function deny(state: DialogueState, interactionId: string, reason = 'Denied.'): Effect[] | null {
  const requestId = interactionId.split('#')[0] ?? ''
  const pending = state.pending.get(requestId)
  if (!pending) return null
  forget(state, requestId, pending)
  return [reply(requestId, { behavior: 'deny', message: reason })]
}

/** The reply goes out once every question of the request has its answer. */
function answerQuestion(state: DialogueState, interactionId: string, text: string): Effect[] | null {
  const [requestId = '', index = '0'] = interactionId.split('#')
  const pending = state.pending.get(requestId)
  const question = pending?.questions[Number(index)]
  if (!pending || question === undefined) return null
  pending.answers.set(question, text)
  if (pending.questions.some((asked) => !pending.answers.has(asked))) return []
  state.pending.delete(requestId)
  const updatedInput = { ...pending.input, answers: Object.fromEntries(pending.answers) }
  return [reply(requestId, { behavior: 'allow', updatedInput })]
}

/** The CLI no longer wants the answer: the turn was interrupted. */
export function controlCancel(state: DialogueState, record: JsonRecord): Effect[] {
  const interactionId = asString(record.request_id) ?? ''
  const pending = state.pending.get(interactionId)
  if (!pending) return NO_EFFECTS
  forget(state, interactionId, pending)
  if (pending.questions.length > 0) return NO_EFFECTS
  return [{ emit: { type: 'approval_denied', interactionId, reason: 'The agent withdrew the request.' } }]
}

/** The answer to a request of ours. */
export function controlResponse(record: JsonRecord): Effect[] {
  const response = asRecord(record.response) ?? {}
  const requestId = textOf(response.request_id)
  if (response.subtype === 'error') {
    const message = `${requestId}: ${textOf(response.error)}`
    return [{ emit: { type: 'debug', level: 'warn', message } }]
  }
  const model = asString(asRecord(response.response)?.model)
  return model !== undefined && requestId.startsWith('amux-set_model') ? [{ model }] : NO_EFFECTS
}

export const answer = decide<DialogueState>({ approve, deny, answer: answerQuestion })
