import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS, warning, withdrawResponse } from '../../core/effects.ts'
import { decideFailure, signsIn } from '../../core/failure-codes.ts'
import { type FailureKind, failTurn } from '../../core/failures.ts'
import { asNumber, asRecord, asString, type JsonRecord, textOf } from '../../core/json.ts'
import { ownDenial } from '../kit/denial.ts'
import { type ToolCall, toolDone, toolReady } from '../kit/tools.ts'
import type { DialogueState } from './state.ts'
import { filesRead, TOOLS, toolNameOf, toolOutcome } from './tools.ts'

export const GUIDANCE = 'Run `cline auth`, or set CLINE_API_KEY.'

/** A record of `cline --json`. */
export function streamRecord(state: DialogueState, record: JsonRecord): Effect[] {
  switch (record.type) {
    case 'agent_event':
      return agentEvent(state, asRecord(record.event) ?? {})
    case 'run_start':
      return runStart(state, record)
    case 'run_result':
      return runResult(state, record)
    case 'error':
      state.lastError = { error: record }
      return NO_EFFECTS
    case 'hook_event':
    case 'run_abort_requested':
    // Follows the result, which says the same.
    case 'run_aborted':
    case 'team_event':
    case 'team_restored':
    case 'zen_dispatched':
      return NO_EFFECTS
    default:
      return [{ unrecognized: asString(record.type) ?? 'record' }]
  }
}

function agentEvent(state: DialogueState, event: JsonRecord): Effect[] {
  const type = asString(event.type) ?? ''
  switch (type) {
    case 'content_start':
      return contentStart(state, event)
    case 'content_update':
      return contentUpdate(state, event)
    case 'content_end':
      return contentEnd(state, event)
    case 'usage':
      return usage(state, event)
    case 'error':
      state.lastError = event
      return NO_EFFECTS
    case 'iteration_start':
      return turnStart(state)
    case 'notice':
      return event.noticeType === 'status' ? NO_EFFECTS : [warning(textOf(event.message))]
    case 'iteration_end':
    case 'done':
      return NO_EFFECTS
    default:
      return [{ unrecognized: `agent_event/${type}` }]
  }
}

/** Only a verbose run reports it. */
function runStart(state: DialogueState, record: JsonRecord): Effect[] {
  const sessionId = asString(record.sessionId)
  const model = asString(record.modelId)
  const effects: Effect[] = model === undefined ? [] : [{ model }]
  if (sessionId !== undefined) effects.push({ emit: { type: 'session_start', sessionId, resumed: false } })
  return [...effects, ...turnStart(state)]
}

/** The first of all iterations begins the turn. */
export function turnStart(state: DialogueState): Effect[] {
  if (state.begun) return NO_EFFECTS
  state.begun = true
  return [{ emit: { type: 'turn_start' } }]
}

/** The call of a sub-agent that is at work: the agent waits for it, so what is said now are its words. */
function subagentCall({ calls }: DialogueState): string | undefined {
  return [...calls.values()].find(({ toolName }) => TOOLS[toolName]?.kind === 'subagent')?.toolCallId
}

/** Each piece of text or thought comes as another start. */
function contentStart(state: DialogueState, event: JsonRecord): Effect[] {
  const parentToolCallId = subagentCall(state)
  if (event.contentType !== 'tool' && parentToolCallId !== undefined) return NO_EFFECTS
  if (event.contentType === 'text') return textPiece(state, event)
  if (event.contentType === 'reasoning') return [{ emit: { type: 'thinking_delta', delta: textOf(event.reasoning) } }]
  if (event.contentType !== 'tool') return NO_EFFECTS
  const call: ToolCall = {
    toolCallId: asString(event.toolCallId) ?? '',
    toolName: toolNameOf(asString(event.toolName) ?? ''),
    input: event.input,
    parentToolCallId,
  }
  state.calls.set(call.toolCallId, call)
  return toolReady(TOOLS, call, state.options.cwd ?? '')
}

/** `accumulated` is the text up to here: one that is this piece alone, with another one open, has begun again. */
function textPiece(state: DialogueState, event: JsonRecord): Effect[] {
  const delta = textOf(event.text)
  const beginsAgain = state.textIsOpen && delta !== '' && event.accumulated === delta
  state.textIsOpen = true
  const again = beginsAgain ? [withdrawResponse('The model began again.')] : NO_EFFECTS
  return [...again, { emit: { type: 'text_delta', delta } }]
}

function contentUpdate(state: DialogueState, event: JsonRecord): Effect[] {
  const toolCallId = asString(event.toolCallId) ?? ''
  const { stream, chunk } = asRecord(event.update) ?? {}
  const delta = asString(chunk) ?? ''
  if (delta === '' || !state.calls.has(toolCallId)) return NO_EFFECTS
  state.streamed.add(toolCallId)
  const type = stream === 'stderr' ? 'shell_stderr_delta' : 'shell_stdout_delta'
  return [{ emit: { type, delta, toolCallId } }]
}

function contentEnd(state: DialogueState, event: JsonRecord): Effect[] {
  const toolCallId = asString(event.toolCallId) ?? ''
  const call = state.calls.get(toolCallId)
  if (event.contentType === 'text') {
    state.textIsOpen = false
    return subagentCall(state) === undefined ? [{ emit: { type: 'message_stop', text: '' } }] : NO_EFFECTS
  }
  if (event.contentType === 'media') return media(asRecord(event.media) ?? {})
  if (event.contentType !== 'tool' || !call) return NO_EFFECTS
  state.calls.delete(toolCallId)
  const outcome = toolOutcome(event)
  const some = filesRead(call, event)
  if (some) return toolDone(TOOLS, some, { ...outcome, error: undefined })
  if (state.streamed.has(toolCallId)) outcome.stdout = ''
  return [...denial(call, outcome.error), ...toolDone(TOOLS, call, outcome)]
}

function media({ mediaType, data, path }: JsonRecord): Effect[] {
  const mimeType = asString(mediaType) ?? 'application/octet-stream'
  return [{ emit: { type: 'image_output', mimeType, base64: asString(data), filePath: asString(path) } }]
}

/** What needs an approval is refused, because only a terminal could ask. */
function denial(call: ToolCall, error: string | undefined): Effect[] {
  return error?.includes('requires approval') ? ownDenial(call, error, textOf(call.input)) : NO_EFFECTS
}

/** Of one call of the model. Here input counts the cache, too. */
function usage({ options }: DialogueState, event: JsonRecord): Effect[] {
  const cacheReadTokens = asNumber(event.cacheReadTokens) ?? 0
  return [
    {
      emit: {
        type: 'token_usage',
        inputTokens: asNumber(event.inputTokens) ?? 0,
        outputTokens: asNumber(event.outputTokens) ?? 0,
        cachedTokens: cacheReadTokens,
        cacheReadTokens,
        cacheCreationTokens: asNumber(event.cacheWriteTokens) ?? 0,
        model: options.model,
      },
    },
  ]
}

const REASONS: Readonly<Record<string, FailureKind>> = {
  aborted: 'cancelled',
  cancelled: 'cancelled',
  max_iterations: 'turn_limit',
  mistake_limit: 'unknown',
}

function runResult(state: DialogueState, record: JsonRecord): Effect[] {
  state.settled = true
  const effects: Effect[] = []
  const model = asString(asRecord(record.model)?.id)
  if (model !== undefined) effects.push({ model })
  const counts = asRecord(record.usage) ?? {}
  const totalUsd = asNumber(counts.totalCost) ?? 0
  // A price that the CLI does not know is 0.
  if (totalUsd > 0) {
    const inputTokens = asNumber(counts.inputTokens) ?? 0
    const outputTokens = asNumber(counts.outputTokens) ?? 0
    effects.push({ emit: { type: 'cost', cost: { totalUsd, inputTokens, outputTokens, source: 'agent' } } })
  }
  const reason = textOf(record.finishReason)
  if (reason !== 'completed') effects.push(...failure(state, REASONS[reason], textOf(record.text) || reason))
  effects.push({ emit: { type: 'turn_end' } })
  return effects
}

const ERROR_CLASSES: Readonly<Record<string, FailureKind>> = { auth: 'auth', context_window_exceeded: 'context' }

export function failure(state: DialogueState, known: FailureKind | undefined, reported: string): Effect[] {
  const message = asString(asRecord(state.lastError.error)?.message) ?? reported
  const byClass = ERROR_CLASSES[textOf(state.lastError.errorClass)]
  return failTurn(known ?? byClass ?? decideFailure({ ...signsIn(state.lastError.error), words: message }), {
    message,
    guidance: GUIDANCE,
  })
}
