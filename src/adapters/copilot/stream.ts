import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS, warning } from '../../core/effects.ts'
import { failTurn } from '../../core/failures.ts'
import { asArray, asNumber, asRecord, asRecords, asString, type JsonRecord } from '../../core/json.ts'
import { ownDenial } from '../kit/denial.ts'
import { fieldsOfForm, PLAIN_NAME, PLAIN_STRING, unescaped } from '../kit/text-line.ts'
import { type ToolCall, toolDone, toolReady } from '../kit/tools.ts'
import { retryEffects, turnFailure } from './errors.ts'
import { compacted, contextCompacted, serverStatus, skillsLoaded, usage } from './notices.ts'
import { requestRecord } from './requests.ts'
import { isSilent } from './silent.ts'
import type { DialogueState } from './state.ts'
import { parentOf, subagentEnded, subagentMessage, subagentStarted } from './subagents.ts'
import { fileEffects, isRefused, TOOLS, toolNameOf, toolOutcome } from './tools.ts'

/** A piece of the answer as Copilot 1.0 writes it; every other line, however little it differs, is parsed. */
const TEXT_DELTA = new RegExp(
  String.raw`^\{"type":"assistant\.message_delta","data":\{"messageId":"(${PLAIN_NAME})","deltaContent":"(${PLAIN_STRING})"\},"ephemeral":true,"id":"${PLAIN_NAME}","timestamp":"${PLAIN_NAME}","parentId":"${PLAIN_NAME}"\}$`,
  'u',
)

/** Nearly every line of a run: read by its form, to what parsing it would give. Null: it is another. */
export function textRecord(line: string): JsonRecord | null {
  const fields = fieldsOfForm(TEXT_DELTA, line)
  if (fields === null) return null
  const [, messageId, text = ''] = fields
  return { type: 'assistant.message_delta', data: { messageId, deltaContent: unescaped(text) } }
}

/** A record of `--output-format json`. What a sub-agent does bears the sub-agent's id: its words stay out of the answer. */
export function streamRecord(state: DialogueState, record: JsonRecord): Effect[] {
  const type = asString(record.type) ?? 'record'
  const data = asRecord(record.data) ?? {}
  const started = state.sessionOpen ? NO_EFFECTS : sessionStart(state, data)
  const effects = ofMain(state, type, data, record) ?? ofAnyAgent(state, type, data, asString(record.agentId))
  return started.length === 0 ? effects : [...started, ...effects]
}

/** The id of a new session comes with the last record only, unless the caller has chosen it, or in the CLI's own log. */
function sessionStart(state: DialogueState, data: JsonRecord): Effect[] {
  const { sessionId, newSessionId } = state.options
  state.sessionOpen = true
  const id = sessionId ?? newSessionId ?? asString(data.sessionId) ?? ''
  return [{ emit: { type: 'session_start', sessionId: id, resumed: sessionId !== undefined } }]
}

/** Null: the record is about calls, which sub-agents make as well. */
function ofMain(state: DialogueState, type: string, data: JsonRecord, record: JsonRecord): Effect[] | null {
  const isSubagent = record.agentId !== undefined || data.parentToolCallId !== undefined
  switch (type) {
    case 'assistant.message_delta':
      if (isSubagent) return NO_EFFECTS
      state.streamedMessage = asString(data.messageId)
      return [{ emit: { type: 'text_delta', delta: asString(data.deltaContent) ?? '' } }]
    case 'assistant.reasoning_delta':
      if (isSubagent) return NO_EFFECTS
      state.streamedThinking = asString(data.reasoningId)
      return [{ emit: { type: 'thinking_delta', delta: asString(data.deltaContent) ?? '' } }]
    case 'assistant.message_start':
      return isSubagent ? NO_EFFECTS : [{ emit: { type: 'message_start' } }]
    case 'assistant.message':
      return isSubagent ? subagentMessage(state, data, asString(record.agentId)) : message(state, data)
    case 'assistant.reasoning':
      return isSubagent || data.reasoningId === state.streamedThinking ? NO_EFFECTS : thinking(data.content)
    case 'user.message':
      return isSubagent ? NO_EFFECTS : [{ emit: { type: 'turn_start' } }]
    case 'session.start':
      return useModel(state, asString(data.selectedModel))
    case 'session.tools_updated':
      return isSubagent ? NO_EFFECTS : useModel(state, asString(data.model))
    case 'session.model_change':
      return isSubagent ? NO_EFFECTS : useModel(state, asString(data.newModel))
    case 'session.auto_mode_resolved':
      return isSubagent ? NO_EFFECTS : useModel(state, asString(data.chosenModel))
    case 'session.error':
      return isSubagent ? [warning(asString(data.message) ?? '')] : failed(state, data)
    case 'abort':
      return isSubagent ? NO_EFFECTS : aborted(state, asString(data.reason) ?? '')
    case 'result':
      return result(state, record)
    default:
      return null
  }
}

function ofAnyAgent(state: DialogueState, type: string, data: JsonRecord, agentId: string | undefined): Effect[] {
  switch (type) {
    case 'assistant.tool_call_delta':
      return toolInput(state, data, parentOf(state, data, agentId))
    case 'tool.execution_start':
      return toolStart(state, data, parentOf(state, data, agentId))
    case 'tool.shell_output':
      return shellOutput(state, data)
    case 'tool.execution_complete':
      return toolComplete(state, data)
    case 'subagent.started':
      return subagentStarted(state, data, agentId)
    case 'subagent.completed':
    case 'subagent.failed':
      return subagentEnded(state, data, agentId)
    case 'model.call_failure':
      state.failedCall = {
        status: asNumber(data.statusCode),
        attempt: asNumber(data.retryAttempt) ?? 0,
        reason: asString(data.errorMessage) ?? '',
      }
      return NO_EFFECTS
    case 'assistant.turn_retry':
      return retryEffects(state, data)
    case 'session.compaction_complete':
      return compacted(data)
    case 'session.truncation':
      return contextCompacted('', data.tokensRemovedDuringTruncation)
    case 'session.mcp_server_status_changed':
      return serverStatus(state, data)
    case 'session.mcp_servers_loaded':
      return asRecords(data.servers).flatMap((server) => serverStatus(state, server))
    case 'assistant.usage':
      return [...usage(data), ...(agentId === undefined ? filtered(state, data) : NO_EFFECTS)]
    case 'skill.invoked':
      return [{ emit: { type: 'skill_invoked', skillName: asString(data.name) ?? '' } }]
    case 'session.skills_loaded':
      return skillsLoaded(data)
    case 'session.warning':
      return [warning(asString(data.message) ?? '')]
    default:
      return requestRecord(state, type, data) ?? (isSilent(type) ? NO_EFFECTS : [{ unrecognized: type }])
  }
}

/** The reply was blocked, or cut, by a filter of the provider: the model would call that a refusal. */
function filtered(state: DialogueState, { contentFilterTriggered, parentToolCallId }: JsonRecord): Effect[] {
  if (contentFilterTriggered !== true || parentToolCallId !== undefined || state.settled) return NO_EFFECTS
  return failed(state, { message: BLOCKED })
}

function useModel(state: DialogueState, model: string | undefined): Effect[] {
  if (model === undefined || model === state.model) return NO_EFFECTS
  state.model = model
  return [{ model }]
}

function thinking(content: unknown): Effect[] {
  const text = asString(content) ?? ''
  return text === '' ? NO_EFFECTS : [{ emit: { type: 'thinking_delta', delta: text } }]
}

/** The CLI's own words in place of an answer that a filter has taken away. */
const BLOCKED = 'The model returned no content because the response was blocked by content filtering.'

/** The whole of what has come in pieces, or all at once. */
function message(state: DialogueState, data: JsonRecord): Effect[] {
  const text = asString(data.content) ?? ''
  const effects = [...useModel(state, asString(data.model))]
  // Without streaming, the thoughts are here as well as in a record that follows.
  if (state.streamedThinking === undefined && data.messageId !== state.streamedMessage) {
    effects.push(...thinking(data.reasoningText))
    state.streamedThinking = asString(data.reasoningId)
  }
  if (text === '') return effects
  if (text === BLOCKED && !state.settled) effects.push(...failed(state, { message: text }))
  const isStreamed = data.messageId === state.streamedMessage
  if (!isStreamed) effects.push({ emit: { type: 'text_delta', delta: text } })
  // The calls of a streamed message have begun already, which ended its text.
  const isEnded = isStreamed && asArray(data.toolRequests).length > 0
  return isEnded ? effects : [...effects, { emit: { type: 'message_stop', text } }]
}

function toolInput(state: DialogueState, data: JsonRecord, parentToolCallId: string | undefined): Effect[] {
  const toolCallId = asString(data.toolCallId) ?? ''
  const delta: Effect = { emit: { type: 'tool_input_delta', toolCallId, delta: asString(data.inputDelta) ?? '' } }
  if (state.begunCalls.has(toolCallId)) return [delta]
  state.begunCalls.add(toolCallId)
  return [
    { emit: { type: 'tool_call_start', toolCallId, toolName: toolNameOf(data, state.servers), parentToolCallId } },
    delta,
  ]
}

function toolStart(state: DialogueState, data: JsonRecord, parentToolCallId: string | undefined): Effect[] {
  const toolCallId = asString(data.toolCallId) ?? ''
  const toolName = toolNameOf(data, state.servers)
  const call: ToolCall = { toolCallId, toolName, input: data.arguments, parentToolCallId }
  state.calls.set(toolCallId, call)
  const ready = toolReady(TOOLS, call, state.options.cwd ?? '')
  if (state.begunCalls.has(toolCallId)) return ready
  return [{ emit: { type: 'tool_call_start', toolCallId, toolName, parentToolCallId } }, ...ready]
}

function shellOutput(state: DialogueState, data: JsonRecord): Effect[] {
  const toolCallId = asString(data.toolCallId) ?? ''
  const delta = asString(data.text) ?? ''
  state.streamedShells.add(toolCallId)
  const type = data.stream === 'stderr' ? 'shell_stderr_delta' : 'shell_stdout_delta'
  return [{ emit: { type, delta, toolCallId } }]
}

function toolComplete(state: DialogueState, data: JsonRecord): Effect[] {
  const toolCallId = asString(data.toolCallId) ?? ''
  const call = state.calls.get(toolCallId) ?? {
    toolCallId,
    toolName: toolNameOf(data, state.servers),
    input: undefined,
  }
  state.calls.delete(toolCallId)
  const outcome = toolOutcome(data)
  if (state.streamedShells.delete(toolCallId)) outcome.stdout = undefined
  const done = [...toolDone(TOOLS, call, outcome), ...fileEffects(call.toolName, data)]
  return isRefused(data) && !state.denied.has(toolCallId) ? [...ownDenial(call, outcome.error ?? ''), ...done] : done
}

function failed(state: DialogueState, data: JsonRecord): Effect[] {
  state.settled = true
  return turnFailure(data)
}

function aborted(state: DialogueState, reason: string): Effect[] {
  state.settled = true
  const kind = reason === 'autopilot_credit_limit' ? 'budget' : 'cancelled'
  return failTurn(kind, { message: `The turn was aborted: ${reason}` })
}

function result(state: DialogueState, record: JsonRecord): Effect[] {
  const effects: Effect[] = [{ emit: { type: 'turn_end' } }]
  const sessionId = asString(record.sessionId)
  if (sessionId !== undefined) {
    effects.unshift({ emit: { type: 'session_checkpoint', sessionId, checkpointId: sessionId } })
  }
  const exitCode = asNumber(record.exitCode) ?? 0
  if (!state.settled && exitCode !== 0) effects.unshift(...failTurn('unknown', { message: `exit code ${exitCode}` }))
  state.settled = true
  return effects
}
