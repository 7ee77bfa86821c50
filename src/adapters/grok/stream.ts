import type { DialogueExit, Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { wasStopped } from '../../core/exit.ts'
import { classifyFailure, type FailureKind, failTurn } from '../../core/failures.ts'
import { asNumber, asRecord, asRecords, asString, type JsonRecord, textOf } from '../../core/json.ts'
import { type ToolCall, toolDone, toolReady } from '../../core/tools.ts'
import { GUIDANCE } from './profile.ts'
import type { DialogueState } from './state.ts'
import { TOOLS } from './tools.ts'

/** A record of `--output-format streaming-json`: one turn, nothing to answer. */
export function streamRecord(state: DialogueState, record: JsonRecord): Effect[] {
  switch (record.type) {
    case 'text':
      return [{ emit: { type: 'text_delta', delta: textOf(record.data) } }]
    case 'thought':
      return [{ emit: { type: 'thinking_delta', delta: textOf(record.data) } }]
    case 'usage':
      return usage(state, asRecord(record.usage) ?? {})
    case 'tool_call':
      return toolCall(state, record)
    case 'tool_call_update':
      return toolUpdate(state, record)
    case 'max_turns_reached':
      state.hitTurnLimit = true
      return NO_EFFECTS
    case 'end':
      return end(state, record)
    case 'error':
      return failed(state, textOf(record.message))
    case 'available_commands':
    case 'plan':
    case 'session_info_update':
    case 'current_mode_update':
      return NO_EFFECTS
    default:
      return [{ unrecognized: asString(record.type) ?? 'record' }]
  }
}

/** Of one call of the model. Input leaves out the cache. */
function usage({ options }: DialogueState, native: JsonRecord): Effect[] {
  const cacheReadTokens = asNumber(native.cache_read_input_tokens) ?? 0
  const cacheCreationTokens = asNumber(native.cache_creation_input_tokens) ?? 0
  return [
    {
      emit: {
        type: 'token_usage',
        inputTokens: (asNumber(native.input_tokens) ?? 0) + cacheReadTokens + cacheCreationTokens,
        outputTokens: asNumber(native.output_tokens) ?? 0,
        thinkingTokens: asNumber(native.reasoning_tokens) ?? 0,
        cachedTokens: cacheReadTokens,
        cacheReadTokens,
        cacheCreationTokens,
        model: options.model,
      },
    },
  ]
}

function toolCall(state: DialogueState, record: JsonRecord): Effect[] {
  const call: ToolCall = {
    toolCallId: asString(record.toolCallId) ?? '',
    toolName: asString(record.toolName) ?? textOf(record.title),
    input: record.rawInput,
  }
  const { toolCallId, toolName } = call
  state.tools.set(toolCallId, call)
  return [{ emit: { type: 'tool_call_start', toolCallId, toolName } }]
}

/** It runs only now: before, a rule or the mode may have refused it. */
function begun(state: DialogueState, call: ToolCall): Effect[] {
  if (state.begun.has(call.toolCallId)) return NO_EFFECTS
  state.begun.add(call.toolCallId)
  return toolReady(TOOLS, call, state.options.cwd ?? '')
}

function toolUpdate(state: DialogueState, record: JsonRecord): Effect[] {
  const call = state.tools.get(asString(record.toolCallId) ?? '')
  if (!call) return NO_EFFECTS
  const text = asRecords(record.content)
    .map((part) => textOf(asRecord(part.content)?.text))
    .join('')
  if (record.status === 'in_progress') return [...begun(state, call), ...shellProgress(state, call, text)]
  if (record.status !== 'completed' && record.status !== 'failed') return NO_EFFECTS
  state.tools.delete(call.toolCallId)
  const told = state.shellOutput.get(call.toolCallId) ?? ''
  const raw = asRecord(record.rawOutput)
  const outcome = {
    output: text || (record.rawOutput ?? ''),
    stdout: text.startsWith(told) ? text.slice(told.length) : text,
    exitCode: asNumber(raw?.exit_code),
    created: call.toolName === 'write',
  }
  if (record.status === 'completed') return [...begun(state, call), ...toolDone(TOOLS, call, outcome)]
  if (DENIED.test(text)) return denial(state, call, text)
  return [...begun(state, call), ...toolDone(TOOLS, call, { ...outcome, stdout: '', error: text })]
}

/** All that a command has printed so far. */
function shellProgress(state: DialogueState, call: ToolCall, whole: string): Effect[] {
  const { toolCallId, toolName } = call
  const told = state.shellOutput.get(toolCallId) ?? ''
  if (TOOLS[toolName]?.kind !== 'shell' || !whole.startsWith(told) || whole === told) return NO_EFFECTS
  state.shellOutput.set(toolCallId, whole)
  return [{ emit: { type: 'shell_stdout_delta', delta: whole.slice(told.length), toolCallId } }]
}

const DENIED = /Denied by permission policy|User cancelled the execution/

/** What needs an approval in a run that can ask nobody is refused by the CLI itself, as if the user had done it. */
function denial(state: DialogueState, call: ToolCall, reason: string): Effect[] {
  const { toolCallId, toolName, input } = call
  state.hasDenied = true
  const request = { interactionId: toolCallId, action: toolName, toolName, toolCallId } as const
  const detail = asString(asRecord(input)?.command) ?? textOf(input)
  return [
    ...toolReady({}, call, ''),
    { emit: { type: 'approval_request', ...request, detail, riskLevel: 'medium' } },
    { emit: { type: 'approval_denied', interactionId: toolCallId, reason } },
    ...toolDone({}, call, { output: reason, error: reason }),
  ]
}

const FAILED_STOPS: Readonly<Record<string, { kind: FailureKind; message: string }>> = {
  refusal: { kind: 'refusal', message: 'The model refused to answer.' },
  max_tokens: { kind: 'unknown', message: 'The answer was cut: it reached the limit of tokens.' },
  cancelled: { kind: 'cancelled', message: 'The turn was cancelled.' },
}

function end(state: DialogueState, record: JsonRecord): Effect[] {
  state.settled = true
  const sessionId = asString(record.sessionId) ?? ''
  const { structuredOutput } = record
  const effects: Effect[] = [
    { emit: { type: 'session_checkpoint', sessionId, checkpointId: textOf(record.requestId) } },
  ]
  const forkedFrom = state.options.forkSessionId
  if (forkedFrom !== undefined) effects.push({ emit: { type: 'session_fork', sessionId, forkedFrom } })
  const [model] = Object.keys(asRecord(record.modelUsage) ?? {})
  if (model !== undefined) effects.push({ model })
  const costUsd = asNumber(record.total_cost_usd)
  if (costUsd) effects.push({ emit: { type: 'cost', cost: { totalUsd: costUsd, ...totals(record), source: 'agent' } } })
  if (structuredOutput !== undefined && structuredOutput !== null) effects.push({ structuredOutput })
  return [...effects, ...verdict(state, textOf(record.stopReason)), { emit: { type: 'turn_end' } }]
}

function totals(record: JsonRecord): { inputTokens: number; outputTokens: number } {
  const native = asRecord(record.usage) ?? {}
  const outputTokens = asNumber(native.output_tokens) ?? 0
  return { inputTokens: (asNumber(native.total_tokens) ?? outputTokens) - outputTokens, outputTokens }
}

function verdict(state: DialogueState, reason: string): Effect[] {
  if (state.hitTurnLimit) {
    return failTurn('turn_limit', { message: 'The limit of turns was reached.', maxTurns: state.options.maxTurns })
  }
  const stop = FAILED_STOPS[reason]
  return stop === undefined || (state.hasDenied && stop.kind === 'cancelled')
    ? NO_EFFECTS
    : failTurn(stop.kind, { message: stop.message })
}

const UNKNOWN_MODEL = /unknown model id/
const UNKNOWN_SESSION = /Session ".*" not found|No session|session not found/i

function failed(state: DialogueState, message: string): Effect[] {
  state.settled = true
  const kind = UNKNOWN_MODEL.test(message) ? 'model_not_found' : classifyFailure(message)
  return [...failTurn(kind, { message, guidance: GUIDANCE }), { emit: { type: 'turn_end' } }]
}

/** What went wrong before the first record stands on stderr only. */
export function streamExit(state: DialogueState, exit: DialogueExit): Effect[] {
  if (state.settled || wasStopped(exit) || exit.exitCode === 0) return NO_EFFECTS
  const message = exit.stderr.trim()
  if (UNKNOWN_SESSION.test(message)) return failTurn('session_not_found', { message })
  const kind = message === '' ? 'unknown' : classifyFailure(message)
  return kind === 'unknown' ? NO_EFFECTS : failTurn(kind, { message, guidance: GUIDANCE })
}
