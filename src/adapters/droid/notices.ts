import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS, warning } from '../../core/effects.ts'
import { failTurn } from '../../core/failures.ts'
import { asArray, asNumber, asRecord, asRecords, asString, type JsonRecord, textOf } from '../../core/json.ts'
import { ownDenial } from '../kit/denial.ts'
import { type ToolCall, type ToolMap, toolDone, toolReady } from '../kit/tools.ts'
import { rejectsByItself } from './rpc.ts'
import type { DialogueState } from './state.ts'
import { EXEC_TOOLS, TOOLS, toolOutcome } from './tools.ts'
import { turnCompleted } from './turns.ts'
import { usageChanged } from './usage.ts'

/** Known and of no interest. */
const SILENT: ReadonlySet<string> = new Set([
  'agent_turn_outcome',
  'assistant_message_retracted',
  'hook_execution_started',
  'loop_state_changed',
  'mcp_auth_completed',
  'permission_resolved',
  'queued_messages_discarded',
  'session_title_updated',
  'session_working_directory_changed',
  'tool_execution_heartbeat',
  'tool_execution_phase_changed',
])

/** One change of the session. Sub-agents have sessions of their own, which are not reported here. */
export function sessionNotification(state: DialogueState, params: JsonRecord): Effect[] {
  const reported = asString(params.sessionId)
  if (reported !== undefined && state.sessionId !== '' && reported !== state.sessionId) return NO_EFFECTS
  const note = asRecord(params.notification) ?? {}
  const type = asString(note.type) ?? ''
  switch (type) {
    case 'assistant_text_delta':
      state.textIsOpen = true
      return [{ emit: { type: 'text_delta', delta: textOf(note.textDelta) } }]
    case 'assistant_text_complete':
      return textComplete(state)
    case 'thinking_text_delta':
      return [{ emit: { type: 'thinking_delta', delta: textOf(note.textDelta) } }]
    case 'thinking_text_complete':
      return [{ emit: { type: 'thinking_stop', thinking: '' } }]
    case 'tool_call':
      return toolStart(state, asRecord(note.toolUse) ?? {})
    case 'create_message':
      return messageCreated(state, asRecord(note.message) ?? {})
    case 'tool_progress_update':
      return toolProgress(state, note)
    case 'tool_result':
      return toolResult(state, asString(note.toolUseId) ?? '', note.content, note.isError === true)
    case 'child_session_available':
      return subagentStarted(state, note)
    case 'structured_output':
      return note.structuredOutput ? [{ structuredOutput: note.structuredOutput }] : NO_EFFECTS
    case 'llm_retry':
      return retry(state, note)
    case 'session_compacted':
      return [{ emit: { type: 'context_compacted', summary: '', tokensSaved: 0 } }]
    case 'settings_updated':
      return modelOf(state, asRecord(note.settings) ?? {})
    case 'session_token_usage_changed':
      return usageChanged(state, note)
    case 'mcp_status_changed':
      return mcpStatus(note)
    case 'mcp_auth_required':
      return [warning(`MCP server ${textOf(note.serverName)} wants a login: ${textOf(note.authUrl)}`)]
    case 'hook_execution_completed':
      return note.hookStatus === 'error' ? [warning(`hook ${textOf(note.hookEventName)} failed`)] : NO_EFFECTS
    case 'error':
      state.lastError = textOf(note.message)
      return NO_EFFECTS
    case 'agent_turn_completed':
      return turnCompleted(state, note)
    case 'droid_working_state_changed':
      state.turnOpen = note.newState !== 'idle'
      return NO_EFFECTS
    default:
      return SILENT.has(type) || type.startsWith('mission_') ? NO_EFFECTS : [{ unrecognized: `notification/${type}` }]
  }
}

/** Often reported only after the first call has begun, which has ended the text already. */
function textComplete(state: DialogueState): Effect[] {
  if (!state.textIsOpen) return NO_EFFECTS
  state.textIsOpen = false
  return [{ emit: { type: 'message_stop', text: '' } }]
}

/** The first of several that report one call, while its input is still being written. */
function toolStart(state: DialogueState, { id, name }: JsonRecord): Effect[] {
  const toolCallId = asString(id)
  state.textIsOpen = false
  return toolCallId === undefined
    ? NO_EFFECTS
    : [{ emit: { type: 'tool_call_start', toolCallId, toolName: textOf(name) } }]
}

/** The whole message, once it is there: its text was streamed, its calls are complete now. */
function messageCreated(state: DialogueState, message: JsonRecord): Effect[] {
  if (message.role !== 'assistant') return NO_EFFECTS
  return asRecords(message.content).flatMap((block) => {
    if (block.type !== 'tool_use') return NO_EFFECTS
    return toolCalled(state, asString(block.id) ?? '', asString(block.name) ?? '', block.input)
  })
}

function toolsOf({ isExec }: DialogueState): ToolMap {
  return isExec ? EXEC_TOOLS : TOOLS
}

export function toolCalled(state: DialogueState, toolCallId: string, toolName: string, input: unknown): Effect[] {
  const call: ToolCall = { toolCallId, toolName, input }
  state.calls.set(toolCallId, call)
  return toolReady(toolsOf(state), call, state.cwd)
}

/** All that a command has printed so far. */
function toolProgress(state: DialogueState, note: JsonRecord): Effect[] {
  const toolCallId = asString(note.toolUseId) ?? ''
  const whole = asString(asRecord(note.update)?.fullOutput)
  const reported = state.shellOutput.get(toolCallId) ?? ''
  if (TOOLS[textOf(note.toolName)]?.kind !== 'shell' || !whole?.startsWith(reported) || whole === reported)
    return NO_EFFECTS
  state.shellOutput.set(toolCallId, whole)
  return [{ emit: { type: 'shell_stdout_delta', delta: whole.slice(reported.length), toolCallId } }]
}

/** What `exec` says when it may not do what the model wants, at its end and in place of an answer. */
export const ENDED_EARLY = /^Exec ended early: (?:insufficient permission|MCP tool .* requires higher autonomy)/
const NOT_ALLOWED = /cancelled by user|permission|not allowed|denied/i

/** An interrupted call is reported twice. */
export function toolResult(state: DialogueState, toolCallId: string, content: unknown, isError: boolean): Effect[] {
  const call = state.calls.get(toolCallId)
  if (!call) return NO_EFFECTS
  state.calls.delete(toolCallId)
  const outcome = toolOutcome(call, content, isError)
  const reported = state.shellOutput.get(toolCallId)
  if (reported !== undefined)
    outcome.stdout = outcome.stdout?.startsWith(reported) ? outcome.stdout.slice(reported.length) : ''
  return [
    ...(outcome.error !== undefined ? unaskedDenial(state, call, outcome.error) : NO_EFFECTS),
    ...toolDone(toolsOf(state), call, outcome),
    ...subagentEnded(state, toolCallId, outcome.output, outcome.error),
  ]
}

/** A call that the CLI has refused by itself, because nobody can be asked in this run. */
function unaskedDenial(state: DialogueState, call: ToolCall, reason: string): Effect[] {
  const isOwn = ENDED_EARLY.test(reason) || (rejectsByItself(state.options) && NOT_ALLOWED.test(reason))
  return isOwn && !state.asked.has(call.toolCallId) ? ownDenial(call, reason, textOf(call.input)) : NO_EFFECTS
}

function subagentStarted(state: DialogueState, note: JsonRecord): Effect[] {
  const toolCallId = asString(note.toolUseId) ?? ''
  const subagent = { subagentId: textOf(note.childSessionId), agentName: textOf(note.subagentType) }
  state.subagents.set(toolCallId, subagent)
  const prompt = textOf(asRecord(state.calls.get(toolCallId)?.input)?.prompt)
  return [{ emit: { type: 'subagent_spawn', ...subagent, prompt } }]
}

function subagentEnded(state: DialogueState, toolCallId: string, output: unknown, error: string | undefined): Effect[] {
  const subagent = state.subagents.get(toolCallId)
  if (!subagent) return NO_EFFECTS
  state.subagents.delete(toolCallId)
  if (error !== undefined) return [{ emit: { type: 'subagent_error', ...subagent, error } }]
  return [{ emit: { type: 'subagent_result', ...subagent, summary: textOf(output) } }]
}

/** Ten tries at a failing server take the CLI almost four minutes, with longer and longer waits. */
const MOST_RETRIES = 6

const FAILURES = new Map([
  ['rate_limited', 'rate_limit'],
  ['overloaded', 'overloaded'],
  ['timeout', 'network'],
  ['network', 'network'],
] as const)

function retry(state: DialogueState, note: JsonRecord): Effect[] {
  const attempt = asNumber(note.attempt) ?? 0
  const reason = textOf(note.reason)
  const effects: Effect[] = [{ emit: { type: 'retry', attempt, maxAttempts: MOST_RETRIES, reason, delayMs: 0 } }]
  if (reason === 'rate_limited') effects.push({ emit: { type: 'rate_limited' } })
  if (attempt < MOST_RETRIES) return effects
  state.ended = true
  const kind = [...FAILURES].find(([name]) => name === reason)?.[1] ?? 'server'
  effects.push(...failTurn(kind, { message: `The model failed ${attempt} times in a row: ${reason}`, endNow: true }))
  return effects
}

/** What the CLI runs on; a model of the endpoint under its own name. */
export function modelOf({ options }: DialogueState, settings: JsonRecord): Effect[] {
  const model = asString(settings.routedModelId) ?? asString(settings.modelId)
  if (model === undefined) return NO_EFFECTS
  return [{ model: options.endpoint ? model.replace(/^custom:/, '') : model }]
}

function mcpStatus(note: JsonRecord): Effect[] {
  return asArray(note.servers).flatMap((server) => {
    const { name, status, error } = asRecord(server) ?? {}
    return status === 'failed' ? [warning(`MCP server ${textOf(name)} failed to start: ${textOf(error)}`)] : NO_EFFECTS
  })
}
