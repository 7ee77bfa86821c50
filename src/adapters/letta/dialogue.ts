import type { Dialogue, DialogueCommand, DialogueExit, Effect } from '../../contract/dialogue.ts'
import type { StreamSource } from '../../contract/events.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { NO_EFFECTS, recordEffects, writeLine } from '../../core/effects.ts'
import { CUT_ANSWER, failTurn } from '../../core/failures.ts'
import { asRecord, asString, type JsonRecord } from '../../core/json.ts'
import { type AnswerCommand, type CommandHandlers, handleCommand } from '../kit/commands.ts'
import { endWithoutResult, oneWayStart } from '../kit/one-way.ts'
import { promptWithSystem } from '../kit/prompt.ts'
import { toolAccess } from '../kit/tool-access.ts'
import { closeWhenIdle, isBusy, queueTurn } from '../kit/turn-queue.ts'
import { createState, type DialogueState } from './state.ts'
import { closeCalls, streamRecord, toolCall } from './stream.ts'
import { TOOLS } from './tools.ts'

const AGENT = {
  displayName: 'Letta Code',
  guidance: 'Set LETTA_API_KEY, or connect a provider to the local backend with `letta connect`.',
  exitWords: [
    { pattern: /^Missing LETTA_API_KEY$/m, kind: 'auth' },
    { pattern: /^.*(Unauthorized|Invalid API key|401).*$/m, kind: 'auth' },
    { pattern: /^Conversation .* not found$/m, kind: 'session_not_found' },
    { pattern: /^Error: (Unknown option|Invalid).*$/m, kind: 'invalid_request' },
  ],
} as const

function userMessage(state: DialogueState, content: string): Effect {
  state.turnOpen = true
  state.failed = false
  return writeLine({ type: 'user', message: { role: 'user', content } })
}

function start(state: DialogueState): Effect[] {
  const { options } = state
  state.live = true
  const effects = [...oneWayStart(options)]
  state.turnOpen = true
  return options.nonInteractive ? effects : [...effects, userMessage(state, promptWithSystem(options))]
}

function nativeRecord(state: DialogueState, record: JsonRecord): Effect[] {
  if (record.type === 'control_request') return permissionRequest(state, record)
  return record.type === 'result' ? result(state, record) : streamRecord(state, record)
}

function permissionRequest(state: DialogueState, record: JsonRecord): Effect[] {
  const request = asRecord(record.request) ?? {}
  const toolCallId = asString(request.tool_call_id) ?? ''
  const toolName = asString(request.tool_name) ?? ''
  if (request.subtype !== 'can_use_tool') return [{ unrecognized: `control_request/${asString(request.subtype)}` }]
  const native = { tool_call_id: toolCallId, name: toolName, arguments: JSON.stringify(request.input ?? {}) }
  const effects = toolCall(state, native)
  const known = state.calls.get(toolCallId)
  state.requests.set(toolCallId, asString(record.request_id) ?? '')
  if (state.options.approvalMode === 'deny') {
    return [...effects, ...decide(state, toolCallId, 'The approval mode is deny.')]
  }
  if (known) known.wasAsked = true
  const detail = asString(asRecord(request.input)?.command) ?? JSON.stringify(request.input ?? {})
  const event = { interactionId: toolCallId, action: toolName, detail, toolName, toolCallId } as const
  const called = { input: request.input, ...toolAccess(TOOLS, toolName, request.input) }
  return [...effects, { emit: { type: 'approval_request', ...event, riskLevel: 'medium', ...called } }]
}

/** The answer to a permission request; a reason means no. */
function decide(state: DialogueState, toolCallId: string, reason?: string): Effect[] {
  const requestId = state.requests.get(toolCallId)
  if (requestId === undefined) return NO_EFFECTS
  state.requests.delete(toolCallId)
  const known = state.calls.get(toolCallId)
  if (known) known.isAllowed = reason === undefined
  const behavior = reason === undefined ? { behavior: 'allow' } : { behavior: 'deny', message: reason }
  const response = { subtype: 'success', request_id: requestId, response: behavior }
  return [writeLine({ type: 'control_response', response })]
}

/** The agent hands back. */
function result(state: DialogueState, record: JsonRecord): Effect[] {
  const effects = closeCalls(state)
  const isCancelled = record.subtype === 'interrupted' || state.interrupted
  if (isCancelled) effects.push(...failTurn('cancelled', { message: 'The turn was interrupted.' }))
  else if (record.subtype === 'error' && !state.failed) {
    const { stop_reason } = record
    const message = asString(record.result) ?? 'The turn failed.'
    effects.push(...streamRecord(state, { type: 'error', message, stop_reason }))
  } else if (record.stop_reason === 'max_tokens_exceeded') {
    effects.push(...failTurn('unknown', { message: CUT_ANSWER }))
  }
  state.turnOpen = false
  state.settled = true
  state.interrupted = false
  state.part = undefined
  effects.push({ emit: { type: 'turn_end' } })
  return [...effects, ...startNext(state)]
}

function startNext(state: DialogueState): Effect[] {
  const text = state.queued.shift()
  if (text === undefined) return state.closing ? [{ closeStdin: true }] : NO_EFFECTS
  return [{ emit: { type: 'turn_start' } }, userMessage(state, text)]
}

function interrupt(state: DialogueState): Effect[] {
  if (!state.turnOpen) return NO_EFFECTS
  state.interrupted = true
  state.requestCount += 1
  const request = {
    type: 'control_request',
    request_id: `amux-${state.requestCount}`,
    request: { subtype: 'interrupt' },
  }
  return [writeLine(request)]
}

/** The CLI asks for permissions only. */
function answer(state: DialogueState, command: AnswerCommand): Effect[] | null {
  if (command.type === 'answer') return null
  const reason = command.type === 'deny' ? (command.reason ?? 'The user refused.') : undefined
  return decide(state, command.interactionId, reason)
}

const COMMANDS: CommandHandlers<DialogueState> = {
  userTurn: (state, text) => queueTurn(state, text, startNext),
  interrupt,
  answer,
  close: (state) => closeWhenIdle(state),
}

/** Speaks the stream-json of Letta Code, both its one-shot and its two-way form. */
export function createDialogue(options: RunOptions): Dialogue {
  const state = createState(options)
  return {
    start: () => start(state),
    onLine(line: string, source: StreamSource): Effect[] {
      return source === 'stderr' ? NO_EFFECTS : recordEffects(line, (record) => nativeRecord(state, record))
    },
    onCommand: (command: DialogueCommand) => (options.nonInteractive ? null : handleCommand(COMMANDS, state, command)),
    onExit: (exit: DialogueExit) => (state.failed ? [{ emit: { type: 'turn_end' } }] : exitEffects(state, exit)),
    busy: () => isBusy(state),
  }
}

function exitEffects(state: DialogueState, exit: DialogueExit): Effect[] {
  const isOver = state.settled && !state.turnOpen && state.part === undefined && exit.exitCode === 0
  return isOver ? NO_EFFECTS : endWithoutResult(AGENT, exit)
}
