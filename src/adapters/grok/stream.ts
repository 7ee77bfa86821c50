import type { DialogueExit, Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import type { ExitWords } from '../../core/exit.ts'
import { decideFailure } from '../../core/failure-codes.ts'
import { CUT_ANSWER, type FailureKind, failTurn } from '../../core/failures.ts'
import { asNumber, asRecord, asRecords, asString, type JsonRecord, parseRecord, textOf } from '../../core/json.ts'
import { tellingLine } from '../../core/stderr.ts'
import { netCounts } from '../../core/usage.ts'
import { ownDenial } from '../kit/denial.ts'
import { endWithoutResult } from '../kit/one-way.ts'
import { PLAIN_STRING, textOfForm } from '../kit/text-line.ts'
import { type ToolCall, toolDone, toolReady } from '../kit/tools.ts'
import { GUIDANCE } from './profile.ts'
import type { DialogueState } from './state.ts'
import { isCreated, resultText, TOOLS, toolCallOf } from './tools.ts'

const TEXT_LINE = new RegExp(`^\\{"type":"text","data":"(${PLAIN_STRING})"\\}$`, 'u')

/** Nearly every line of a run: read by its form. Null: it is another. */
export function textLine(state: DialogueState, line: string): Effect[] | null {
  if (!state.turnBegun) return null
  const delta = textOfForm(TEXT_LINE, line)
  return delta === null ? null : [text(state, delta)]
}

/** A record of `--output-format streaming-json`: one turn, nothing to answer. */
export function streamRecord(state: DialogueState, record: JsonRecord): Effect[] {
  const effects = recordOf(state, record)
  if (state.turnBegun) return effects
  state.turnBegun = true
  return [{ emit: { type: 'turn_start' } }, ...effects]
}

function recordOf(state: DialogueState, record: JsonRecord): Effect[] {
  switch (record.type) {
    // `--output-format json`: the answer and the end in one.
    case undefined:
      return 'stopReason' in record ? [text(state, record.text), ...end(state, record)] : [{ unrecognized: 'record' }]
    case 'text':
      return [text(state, record.data)]
    case 'thought':
      return [{ emit: { type: 'thinking_delta', delta: textOf(record.data) } }]
    case 'usage':
      // The end of a reply: what a sub-agent in the background says next is reported in the same way.
      return [...textEnd(state), ...usage(state, asRecord(record.usage) ?? {})]
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
      return failed(state, record)
    case 'auto_compact_completed':
      return [{ emit: { type: 'context_compacted', summary: '', tokensSaved: 0 } }]
    case 'available_commands':
    case 'plan':
    case 'session_info_update':
    case 'current_mode_update':
    case 'auto_compact_started':
    case 'auto_compact_failed':
    case 'auto_compact_cancelled':
    case 'auto_continue_completed':
    case 'memory_flush_started':
    case 'memory_flush_completed':
    case 'memory_capture_activity':
      return NO_EFFECTS
    default:
      return [{ unrecognized: asString(record.type) ?? 'record' }]
  }
}

function text(state: DialogueState, data: unknown): Effect {
  state.textIsOpen = true
  return { emit: { type: 'text_delta', delta: textOf(data) } }
}

function textEnd(state: DialogueState): Effect[] {
  if (!state.textIsOpen) return NO_EFFECTS
  state.textIsOpen = false
  return [{ emit: { type: 'message_stop', text: '' } }]
}

/** Of one call of the model. Input leaves out the cache. */
function usage(state: DialogueState, native: JsonRecord): Effect[] {
  state.reportedCounts = true
  const counts = netCounts({
    input: native.input_tokens,
    output: native.output_tokens,
    thinking: native.reasoning_tokens,
    cacheRead: native.cache_read_input_tokens,
    cacheCreation: native.cache_creation_input_tokens,
  })
  return [{ emit: { type: 'token_usage', ...counts, model: state.options.model } }]
}

function toolCall(state: DialogueState, record: JsonRecord): Effect[] {
  const name = asString(record.toolName) ?? textOf(record.title)
  const call = toolCallOf(asString(record.toolCallId) ?? '', name, record.rawInput)
  const { toolCallId, toolName } = call
  state.calls.set(toolCallId, call)
  return [{ emit: { type: 'tool_call_start', toolCallId, toolName } }]
}

/** It runs only now: before, a rule or the mode may have refused it. */
function begun(state: DialogueState, call: ToolCall): Effect[] {
  if (state.begun.has(call.toolCallId)) return NO_EFFECTS
  state.begun.add(call.toolCallId)
  return toolReady(TOOLS, call, state.options.cwd ?? '')
}

function toolUpdate(state: DialogueState, record: JsonRecord): Effect[] {
  const call = state.calls.get(asString(record.toolCallId) ?? '')
  if (!call) return NO_EFFECTS
  const text = asRecords(record.content)
    .map((part) => textOf(asRecord(part.content)?.text))
    .join('')
  if (record.status === 'in_progress') return [...begun(state, call), ...shellProgress(state, call, text)]
  if (record.status !== 'completed' && record.status !== 'failed') return NO_EFFECTS
  state.calls.delete(call.toolCallId)
  const reported = state.shellOutput.get(call.toolCallId) ?? ''
  const raw = asRecord(record.rawOutput) ?? {}
  const outcome = {
    output: text || (resultText(raw) ?? record.rawOutput ?? ''),
    stdout: text.startsWith(reported) ? text.slice(reported.length) : text,
    exitCode: asNumber(raw.exit_code),
    created: isCreated(raw),
  }
  if (record.status === 'completed') return [...begun(state, call), ...toolDone(TOOLS, call, outcome)]
  if (DENIED.test(text)) return denial(state, call, text)
  const error = textOf(outcome.output)
  return [...begun(state, call), ...toolDone(TOOLS, call, { ...outcome, stdout: '', error })]
}

/** All that a command has printed so far. */
function shellProgress(state: DialogueState, call: ToolCall, whole: string): Effect[] {
  const { toolCallId, toolName } = call
  const reported = state.shellOutput.get(toolCallId) ?? ''
  if (TOOLS[toolName]?.kind !== 'shell' || !whole.startsWith(reported) || whole === reported) return NO_EFFECTS
  state.shellOutput.set(toolCallId, whole)
  return [{ emit: { type: 'shell_stdout_delta', delta: whole.slice(reported.length), toolCallId } }]
}

const DENIED = /Denied by permission policy|User cancelled the execution/

/** What needs an approval in a run that can ask nobody is refused by the CLI itself, as if the user had done it. */
function denial(state: DialogueState, call: ToolCall, reason: string): Effect[] {
  state.hasDenied = true
  const detail = asString(asRecord(call.input)?.command) ?? textOf(call.input)
  return [
    ...toolReady({}, call, ''),
    ...ownDenial(call, reason, detail),
    ...toolDone({}, call, { output: reason, error: reason }),
  ]
}

const FAILED_STOPS: Readonly<Record<string, { kind: FailureKind; message: string }>> = {
  refusal: { kind: 'refusal', message: 'The model refused to answer.' },
  max_turn_requests: { kind: 'turn_limit', message: 'The limit of turns was reached.' },
  max_tokens: { kind: 'unknown', message: CUT_ANSWER },
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
  effects.push(...spend(state, record))
  if (structuredOutput !== undefined && structuredOutput !== null) effects.push({ structuredOutput })
  return [...effects, ...verdict(state, textOf(record.stopReason)), { emit: { type: 'turn_end' } }]
}

/** What the turn has used: the sum of what was reported with each reply, or all that is reported. */
function spend(state: DialogueState, record: JsonRecord): Effect[] {
  const counts = asRecord(record.usage)
  const effects = counts === undefined || state.reportedCounts ? [] : usage(state, counts)
  const totalUsd = asNumber(record.total_cost_usd)
  if (totalUsd) effects.push({ emit: { type: 'cost', cost: { totalUsd, ...totals(record), source: 'agent' } } })
  return effects
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
const EXIT_WORDS: readonly ExitWords[] = [
  { pattern: /^.*(?:Session ".*" not found|No session|session not found).*$/im, kind: 'session_not_found' },
]

/** `Internal error: ` and the words, as a JSON string or in a record. */
function plainMessage(message: string): string {
  const inner = /^Internal error: ([\s\S]*)$/.exec(message)?.[1] ?? ''
  if (inner.startsWith('"')) return asString(parseRecord(`{"message":${inner}}`)?.message) ?? message
  return asString(parseRecord(inner)?.message) ?? message
}

function failed(state: DialogueState, record: JsonRecord): Effect[] {
  state.settled = true
  const message = plainMessage(textOf(record.message))
  const kind = UNKNOWN_MODEL.test(message) ? 'model_not_found' : decideFailure({ words: message })
  return [...spend(state, record), ...failTurn(kind, { message, guidance: GUIDANCE }), { emit: { type: 'turn_end' } }]
}

/** What went wrong before the first record is on stderr only. */
export function exitEffects(state: DialogueState, exit: DialogueExit): Effect[] {
  if (state.settled) return NO_EFFECTS
  const message = tellingLine(exit.stderr)
  const kind = exit.signal === null && exit.exitCode !== 0 ? decideFailure({ words: message }) : 'unknown'
  const reported = endWithoutResult({ displayName: 'Grok', guidance: GUIDANCE, exitWords: EXIT_WORDS }, exit)
  return reported.length > 0 || kind === 'unknown' ? reported : failTurn(kind, { message, guidance: GUIDANCE })
}
