import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS, sessionOpened } from '../../core/effects.ts'
import { decideFailure } from '../../core/failure-codes.ts'
import { type FailureKind, failTurn } from '../../core/failures.ts'
import { asNumber, asRecord, asString, type JsonRecord, textOf } from '../../core/json.ts'
import { ownDenial } from '../kit/denial.ts'
import { type ToolCall, toolDone, toolReady } from '../kit/tools.ts'
import type { DialogueState } from './state.ts'
import { TOOLS } from './tools.ts'

export const GUIDANCE = 'Run `agy` once and sign in.'

/** A record of the stream. Its kind is in `event`, and its fields under that name. */
export function streamRecord(state: DialogueState, record: JsonRecord): Effect[] {
  switch (record.event) {
    case 'init':
      return sessionStart(state, record)
    case 'step_update':
      return step(state, asRecord(record.step_update) ?? {})
    case 'result':
      return result(state, asRecord(record.result) ?? {})
    default:
      return [{ unrecognized: asString(record.event) ?? 'record' }]
  }
}

function sessionStart(state: DialogueState, record: JsonRecord): Effect[] {
  const init = asRecord(record.init) ?? {}
  state.cwd = asString(init.cwd) ?? state.cwd
  state.model = asString(init.model) ?? state.model
  return sessionOpened(state.options, asString(record.conversation_id) ?? '', state.model)
}

function step(state: DialogueState, update: JsonRecord): Effect[] {
  const usage = stepUsage(state, asRecord(update.usage))
  switch (update.step_type) {
    case 'tool':
      return [...toolStep(state, update), ...usage]
    case 'agent_response':
    case undefined: {
      const delta = asString(update.text_delta) ?? ''
      if (delta === '') return usage
      state.hasText = true
      return [{ emit: { type: 'text_delta', delta } }, ...usage]
    }
    case 'user_input':
    case 'system_message':
    case 'checkpoint':
      return usage
    default:
      return [{ unrecognized: `step_update/${textOf(update.step_type)}` }, ...usage]
  }
}

/** A call opens with ACTIVE and ends with DONE or ERROR, or is reported only once, at its end. */
function toolStep(state: DialogueState, update: JsonRecord): Effect[] {
  const index = String(asNumber(update.step_index) ?? state.calls.size)
  const info = asRecord(update.tool_info) ?? {}
  const toolName = asString(update.tool_name) ?? asString(info.name) ?? ''
  const known = state.calls.get(index)
  const call: ToolCall = known ?? { toolCallId: `step-${index}`, toolName, input: info.parameters }
  const effects = known ? [] : toolReady(TOOLS, call, state.cwd)
  if (update.state !== 'DONE' && update.state !== 'ERROR') {
    state.calls.set(index, call)
    return effects
  }
  state.calls.delete(index)
  const output = textOf(info.output)
  const failure = asRecord(info.error)
  if (failure === undefined && update.state === 'DONE') {
    return [...effects, ...toolDone(TOOLS, call, { output, stdout: output })]
  }
  const error = asString(failure?.message) ?? 'The call failed.'
  const denial = /denied permission|permission check failed/i.test(error) ? ownDenial(call, error) : NO_EFFECTS
  return [...effects, ...denial, ...toolDone(TOOLS, call, { output, stdout: output, error })]
}

/** Each step has its own counts; those of the result are sums of the whole conversation. Some leave out the cache. */
function stepUsage({ model }: DialogueState, usage: JsonRecord | undefined): Effect[] {
  const input = asNumber(usage?.input_tokens) ?? 0
  const outputTokens = asNumber(usage?.output_tokens) ?? 0
  if (input + outputTokens === 0) return NO_EFFECTS
  const cacheReadTokens = asNumber(usage?.cache_read_tokens) ?? 0
  const inputTokens = cacheReadTokens > input ? input + cacheReadTokens : input
  const thinkingTokens = asNumber(usage?.thinking_tokens) ?? 0
  const cached = { cacheReadTokens, cachedTokens: cacheReadTokens }
  return [{ emit: { type: 'token_usage', inputTokens, outputTokens, thinkingTokens, ...cached, model } }]
}

const STATUSES: Readonly<Record<string, FailureKind>> = { CANCELED: 'cancelled', INTERRUPTED: 'cancelled' }

function result(state: DialogueState, record: JsonRecord): Effect[] {
  const effects: Effect[] = []
  const status = asString(record.status) ?? 'SUCCESS'
  const response = asString(record.response) ?? ''
  if (!state.hasText && response !== '') effects.push({ emit: { type: 'text_delta', delta: response } })
  if (record.structured_output !== undefined) effects.push({ structuredOutput: record.structured_output })
  if (status !== 'SUCCESS') {
    const message = asString(record.error) ?? `The turn ended as ${status}.`
    const kind =
      STATUSES[status] ??
      (/invalid model selection/.test(message) ? 'model_not_found' : decideFailure({ words: message }))
    effects.push(...failTurn(kind, { message, guidance: kind === 'auth' ? GUIDANCE : undefined }))
  }
  state.hasText = false
  state.turnOpen = false
  return [...effects, { emit: { type: 'turn_end' } }]
}
