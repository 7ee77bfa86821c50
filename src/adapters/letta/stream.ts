import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS, sessionOpened } from '../../core/effects.ts'
import { decideFailure, signsIn } from '../../core/failure-codes.ts'
import { type FailureKind, failTurn } from '../../core/failures.ts'
import { asNumber, asRecord, asRecords, asString, type JsonRecord, parseRecord, textOf } from '../../core/json.ts'
import { ownDenial } from '../kit/denial.ts'
import { type ToolCall, toolDone, toolReady } from '../kit/tools.ts'
import type { DialogueState, OpenCall } from './state.ts'
import { TOOLS } from './tools.ts'

const SILENT: ReadonlySet<string> = new Set([
  'approval_requested',
  'approval_received',
  'tool_execution_started',
  'tool_execution_finished',
  'recovery',
  'cancel_ack',
  'control_response',
  'queue_item_enqueued',
  'queue_batch_dequeued',
  'queue_blocked',
  'queue_cleared',
  'queue_item_dropped',
  'queue_snapshot',
  'sync_complete',
  'transcript_backfill',
  'transcript_supplement',
])

/** What the service says beside the answer (its client 0.25 lists them). */
const SILENT_MESSAGES: ReadonlySet<string> = new Set([
  'approval_response_message',
  'event_message',
  'hidden_reasoning_message',
  'local_message',
  'ping',
  'stop_reason',
  'system_message',
  'user_message',
])

/** A record of `--output-format stream-json`, but for those that ask something or end the turn. */
export function streamRecord(state: DialogueState, record: JsonRecord): Effect[] {
  const type = asString(record.type) ?? 'record'
  switch (type) {
    case 'system':
      return sessionStart(state, record)
    case 'message':
      return [...nextPart(state, record), ...message(state, record)]
    case 'stream_event':
      return [...nextPart(state, record), ...message(state, asRecord(record.event) ?? {})]
    case 'auto_approval':
      return allowed(state, asRecord(record.tool_call) ?? {})
    case 'retry':
      return retry(record)
    case 'error':
      return failure(state, record)
    default:
      return SILENT.has(type) ? NO_EFFECTS : [{ unrecognized: type }]
  }
}

function sessionStart(state: DialogueState, record: JsonRecord): Effect[] {
  state.cwd = asString(record.cwd) ?? state.cwd
  state.model = asString(record.model)
  return sessionOpened(state.options, asString(record.conversation_id) ?? '', state.model)
}

/**
 * With the next call of the model it is known what became of the calls before; what they gave back is never reported.
 */
function nextPart(state: DialogueState, record: JsonRecord): Effect[] {
  const part = asString(record.run_id) ?? state.part
  if (part === state.part) return NO_EFFECTS
  state.part = part
  return closeCalls(state)
}

export function closeCalls(state: DialogueState): Effect[] {
  const effects: Effect[] = []
  for (const open of state.calls.values()) {
    const { call, isAllowed } = open
    const error = isAllowed ? undefined : 'The call was not allowed.'
    effects.push(...answered(state, open), ...toolDone(TOOLS, call, { output: '', error, exitCode: -1 }))
  }
  state.calls.clear()
  return effects
}

/** How it was decided, where nobody has said so yet. */
function answered({ live }: DialogueState, { call, wasAsked, isAllowed }: OpenCall): Effect[] {
  const interactionId = call.toolCallId
  if (!wasAsked) return isAllowed ? NO_EFFECTS : ownDenial(call, 'The call was not allowed.')
  if (live) return NO_EFFECTS
  return [{ emit: { type: isAllowed ? 'approval_granted' : 'approval_denied', interactionId } }]
}

function message(state: DialogueState, record: JsonRecord): Effect[] {
  switch (record.message_type) {
    case 'assistant_message':
      return delta('text_delta', textOf(record.content))
    case 'reasoning_message':
      return delta('thinking_delta', asString(record.reasoning) ?? '')
    case 'approval_request_message':
    case 'tool_call_message':
      return severalOr(record.tool_calls, record.tool_call).flatMap((call) => toolCall(state, call))
    case 'tool_return_message':
      return severalOr(record.tool_returns, record).flatMap((one) => toolReturn(state, one))
    case 'usage_statistics':
      return usage(state, record)
    case 'summary_message':
      return [{ emit: { type: 'context_compacted', summary: textOf(record.summary), tokensSaved: saved(record) } }]
    case 'error_message':
      return failure(state, { message: record.message, api_error: record })
    default: {
      const type = textOf(record.message_type)
      return SILENT_MESSAGES.has(type) ? NO_EFFECTS : [{ unrecognized: `message/${type}` }]
    }
  }
}

/** What comes as a list now, and one by one from older services. */
function severalOr(list: unknown, single: unknown): JsonRecord[] {
  const several = asRecords(list)
  return several.length > 0 ? several : [asRecord(single) ?? {}]
}

function saved({ compaction_stats }: JsonRecord): number {
  const { context_tokens_before: before, context_tokens_after: after } = asRecord(compaction_stats) ?? {}
  return Math.max(0, (asNumber(before) ?? 0) - (asNumber(after) ?? 0))
}

function delta(type: 'text_delta' | 'thinking_delta', text: string): Effect[] {
  return text === '' ? NO_EFFECTS : [{ emit: { type, delta: text } }]
}

/** The service sends a call in pieces; only a whole one can be read. */
export function toolCall(state: DialogueState, native: JsonRecord): Effect[] {
  const toolCallId = asString(native.tool_call_id) ?? ''
  const input = parseRecord(asString(native.arguments) ?? '')
  if (toolCallId === '' || input === null || state.calls.has(toolCallId)) return NO_EFFECTS
  const call: ToolCall = { toolCallId, toolName: asString(native.name) ?? '', input }
  state.calls.set(toolCallId, { call, wasAsked: false, isAllowed: false })
  return toolReady(TOOLS, call, state.cwd)
}

function allowed(state: DialogueState, native: JsonRecord): Effect[] {
  const effects = toolCall(state, native)
  const known = state.calls.get(asString(native.tool_call_id) ?? '')
  if (known) known.isAllowed = true
  return effects
}

function toolReturn(state: DialogueState, record: JsonRecord): Effect[] {
  const known = state.calls.get(asString(record.tool_call_id) ?? '')
  if (!known) return NO_EFFECTS
  state.calls.delete(known.call.toolCallId)
  const output = textOf(record.tool_return)
  const error = record.status === 'error' ? output : undefined
  return toolDone(TOOLS, known.call, { output, stdout: output, error })
}

/** The total shows whether the cached tokens are counted in the prompt. */
function usage(state: DialogueState, record: JsonRecord): Effect[] {
  const prompt = asNumber(record.prompt_tokens) ?? 0
  const outputTokens = asNumber(record.completion_tokens) ?? 0
  const cacheReadTokens = asNumber(record.cached_input_tokens) ?? 0
  const cacheCreationTokens = asNumber(record.cache_write_tokens) ?? 0
  const isNet = (asNumber(record.total_tokens) ?? 0) > prompt + outputTokens
  if (prompt + outputTokens === 0) return NO_EFFECTS
  const inputTokens = prompt + (isNet ? cacheReadTokens + cacheCreationTokens : 0)
  const counts = { inputTokens, outputTokens, cacheReadTokens, cachedTokens: cacheReadTokens, cacheCreationTokens }
  const thinkingTokens = asNumber(record.reasoning_tokens) ?? 0
  return [{ emit: { type: 'token_usage', ...counts, thinkingTokens, model: state.model } }]
}

function retry(record: JsonRecord): Effect[] {
  const attempt = asNumber(record.attempt) ?? 1
  const maxAttempts = asNumber(record.max_attempts) ?? attempt
  const delayMs = asNumber(record.delay_ms) ?? 0
  return [{ emit: { type: 'retry', attempt, maxAttempts, delayMs, reason: textOf(record.reason) } }]
}

/** Reported twice: first in words, then once more as JSON. */
function failure(state: DialogueState, record: JsonRecord): Effect[] {
  if (state.failed) return NO_EFFECTS
  state.failed = true
  const text = asString(asRecord(record.api_error)?.detail) ?? asString(record.message) ?? 'The turn failed.'
  const kind = STOPS[textOf(record.stop_reason)] ?? decideFailure({ ...signsIn(record.api_error), words: text })
  return failTurn(kind, { message: text, maxTurns: state.options.maxTurns })
}

/** Those of the reasons to stop that say more than the words do. */
const STOPS: Readonly<Record<string, FailureKind>> = {
  max_steps: 'turn_limit',
  cancelled: 'cancelled',
  insufficient_credits: 'quota',
  context_window_overflow_in_system_prompt: 'context',
}
