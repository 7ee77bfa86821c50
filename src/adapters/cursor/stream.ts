import type { Effect } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { ownDenial } from '../../core/denial.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { classifyFailure, failTurn } from '../../core/failures.ts'
import { asNumber, asRecord, asString, isRecord, type JsonRecord, parseRecord, textOf } from '../../core/json.ts'
import { exitCodeOf, type ToolCall, type ToolMap, type ToolOutcome, toolDone, toolReady } from '../../core/tools.ts'
import { profile } from './profile.ts'

interface DialogueState {
  readonly options: RunOptions
  readonly calls: Map<string, ToolCall>
  cwd: string
  model: string | undefined
  /** Pieces of the present message have come: the whole of it, which follows, is no news. */
  isStreaming: boolean
  hasText: boolean
  settled: boolean
}

export function createState(options: RunOptions): DialogueState {
  const cwd = options.cwd ?? ''
  return { options, calls: new Map(), cwd, model: undefined, isStreaming: false, hasText: false, settled: false }
}

/** A call is named by the key that holds it: `readToolCall`. */
const TOOLS: ToolMap = {
  shell: { kind: 'shell', command: 'command' },
  read: { kind: 'read', path: 'path' },
  write: { kind: 'write', path: 'path', content: 'fileText' },
  edit: { kind: 'patch', path: 'path' },
  delete: { kind: 'delete', path: 'path' },
}

/** A record of `--output-format stream-json`: like those of Claude Code, but for the calls of tools. */
export function streamRecord(state: DialogueState, record: JsonRecord): Effect[] {
  switch (record.type) {
    case 'assistant':
      return assistant(state, record)
    case 'thinking':
      return thinking(record)
    case 'tool_call':
      return toolCall(state, record)
    case 'system':
      return sessionStart(state, record)
    case 'user':
    case 'interaction_query':
    case 'retry':
    case 'connection':
      return NO_EFFECTS
    case 'result':
      return result(state, record)
    default:
      return [{ unrecognized: asString(record.type) ?? 'record' }]
  }
}

function sessionStart(state: DialogueState, record: JsonRecord): Effect[] {
  if (record.subtype !== 'init') return NO_EFFECTS
  const sessionId = asString(record.session_id) ?? ''
  state.cwd = asString(record.cwd) ?? state.cwd
  state.model = asString(record.model)
  const resumed = state.options.sessionId !== undefined
  const start: Effect = { emit: { type: 'session_start', sessionId, resumed } }
  return state.model === undefined ? [start] : [start, { model: state.model }]
}

/** A piece has a time; with the id of a call of the model, or without a time, it is the message as a whole. */
function assistant(state: DialogueState, record: JsonRecord): Effect[] {
  const text = textOf(asRecord(record.message)?.content)
  const isPiece = record.timestamp_ms !== undefined && record.model_call_id === undefined
  if (!isPiece && state.isStreaming) {
    state.isStreaming = false
    return [{ emit: { type: 'message_stop', text } }]
  }
  if (text === '') return NO_EFFECTS
  state.isStreaming = isPiece
  state.hasText = true
  const delta: Effect = { emit: { type: 'text_delta', delta: text } }
  return isPiece ? [delta] : [delta, { emit: { type: 'message_stop', text } }]
}

function thinking({ subtype, text }: JsonRecord): Effect[] {
  return subtype === 'delta' ? [{ emit: { type: 'thinking_delta', delta: textOf(text) } }] : NO_EFFECTS
}

/** Name, input and result of a call. Those of MCP servers, and others, have their names in their arguments. */
function readCall(native: JsonRecord): { toolName: string; input: unknown; result: JsonRecord } {
  for (const [key, value] of Object.entries(native)) {
    if (!isRecord(value)) continue
    const args = asRecord(value.args) ?? {}
    const result = asRecord(value.result) ?? {}
    if (key === 'function') {
      return { toolName: asString(value.name) ?? key, input: parseRecord(textOf(value.arguments)) ?? {}, result }
    }
    if (key === 'mcpToolCall') {
      const toolName = `mcp__${textOf(args.providerIdentifier)}__${asString(args.toolName) ?? textOf(args.name)}`
      return { toolName, input: args.args ?? args, result }
    }
    if (key.endsWith('ToolCall')) return { toolName: key.slice(0, -'ToolCall'.length), input: args, result }
  }
  return { toolName: 'tool', input: {}, result: {} }
}

function toolCall(state: DialogueState, record: JsonRecord): Effect[] {
  const toolCallId = asString(record.call_id) ?? ''
  const { toolName, input, result } = readCall(asRecord(record.tool_call) ?? {})
  const known = state.calls.get(toolCallId)
  const call: ToolCall = known ?? { toolCallId, toolName, input }
  const effects = known ? [] : toolReady(TOOLS, call, state.cwd)
  if (record.subtype !== 'completed') {
    state.calls.set(toolCallId, call)
    return effects
  }
  state.calls.delete(toolCallId)
  const outcome = outcomeOf(result)
  const denial = 'rejected' in result ? ownDenial(call, outcome.error ?? '') : NO_EFFECTS
  return [...effects, ...denial, ...toolDone(TOOLS, call, outcome)]
}

function outcomeOf(result: JsonRecord): ToolOutcome {
  const success = asRecord(result.success)
  if (success === undefined) {
    const failed = asRecord(result.rejected) ?? asRecord(result.error) ?? asRecord(result.failure) ?? {}
    const error = asString(failed.reason) ?? asString(failed.errorMessage) ?? asString(failed.stderr)
    return { output: result, error: error || 'The call failed.', exitCode: exitCodeOf(failed) }
  }
  const output = success.stdout ?? success.content ?? success
  const diff = asString(success.diffString)
  return {
    output,
    stdout: asString(success.stdout),
    stderr: asString(success.stderr),
    exitCode: exitCodeOf(success),
    diff,
  }
}

function result(state: DialogueState, record: JsonRecord): Effect[] {
  state.settled = true
  const text = asString(record.result) ?? ''
  const effects: Effect[] = [...usage(state, asRecord(record.usage))]
  if (record.is_error === true) {
    const kind = classifyFailure(text)
    effects.push(...failTurn(kind, { message: text || 'The turn failed.', guidance: profile.guidance }))
  } else if (!state.hasText && text !== '') effects.unshift({ emit: { type: 'text_delta', delta: text } })
  return [...effects, { emit: { type: 'turn_end' } }]
}

function usage({ model }: DialogueState, native: JsonRecord | undefined): Effect[] {
  if (native === undefined) return NO_EFFECTS
  const cacheReadTokens = asNumber(native.cacheReadTokens) ?? 0
  const cacheCreationTokens = asNumber(native.cacheWriteTokens) ?? 0
  const inputTokens = (asNumber(native.inputTokens) ?? 0) + cacheReadTokens + cacheCreationTokens
  const outputTokens = asNumber(native.outputTokens) ?? 0
  const cached = { cacheReadTokens, cachedTokens: cacheReadTokens, cacheCreationTokens }
  return [{ emit: { type: 'token_usage', inputTokens, outputTokens, ...cached, model } }]
}
