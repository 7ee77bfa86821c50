import type { Effect } from '../../contract/dialogue.ts'
import { ownDenial } from '../../core/denial.ts'
import { NO_EFFECTS, warning } from '../../core/effects.ts'
import { asNumber, asRecord, asString, isRecord, type JsonRecord } from '../../core/json.ts'
import { type ToolCall, toolDone, toolReady } from '../../core/tools.ts'
import { turnFailure } from './errors.ts'
import type { DialogueState } from './state.ts'
import { isRefused, TOOLS, toolNameOf, toolOutcome } from './tools.ts'

/** A record of `--output-format stream-json`: one turn, its text in pieces, nothing to answer. No thoughts are told. */
export function streamRecord(state: DialogueState, record: JsonRecord): Effect[] {
  switch (record.type) {
    case 'message':
      if (record.role !== 'assistant') return NO_EFFECTS
      return [{ emit: { type: 'text_delta', delta: asString(record.content) ?? '' } }]
    case 'init':
      return sessionStart(state, record)
    case 'tool_use':
      return toolUse(state, record)
    case 'tool_result':
      return toolResult(state, record)
    case 'error':
      return [warning(asString(record.message) ?? '')]
    case 'result':
      return result(state, record)
    default:
      return [{ unrecognized: asString(record.type) ?? 'record' }]
  }
}

function sessionStart(state: DialogueState, record: JsonRecord): Effect[] {
  const { sessionId: resumed, forkSessionId: forkedFrom } = state.options
  const sessionId = asString(record.session_id) ?? ''
  const effects: Effect[] = [
    { emit: { type: 'session_start', sessionId, resumed: resumed !== undefined, forkedFrom } },
    { emit: { type: 'turn_start' } },
  ]
  if (forkedFrom !== undefined) effects.splice(1, 0, { emit: { type: 'session_fork', sessionId, forkedFrom } })
  const model = asString(record.model)
  // `auto` is a router, not a model: what it chose is told at the end.
  if (model === undefined || model.startsWith('auto')) return effects
  state.model = model
  return [...effects, { model }]
}

function toolUse(state: DialogueState, record: JsonRecord): Effect[] {
  const toolCallId = asString(record.tool_id) ?? ''
  const toolName = toolNameOf(asString(record.tool_name) ?? '', state.options)
  const call: ToolCall = { toolCallId, toolName, input: record.parameters }
  state.openCalls.set(toolCallId, call)
  return [
    { emit: { type: 'tool_call_start', toolCallId, toolName } },
    ...toolReady(TOOLS, call, state.options.cwd ?? ''),
  ]
}

function toolResult(state: DialogueState, record: JsonRecord): Effect[] {
  const toolCallId = asString(record.tool_id) ?? ''
  const call = state.openCalls.get(toolCallId) ?? { toolCallId, toolName: '', input: undefined }
  state.openCalls.delete(toolCallId)
  const outcome = toolOutcome(record)
  const done = toolDone(TOOLS, call, outcome)
  return isRefused(call.toolName, record) ? [...ownDenial(call, outcome.error ?? ''), ...done] : done
}

function result(state: DialogueState, record: JsonRecord): Effect[] {
  state.settled = true
  const error = asRecord(record.error)
  const effects = usage(state, asRecord(record.stats) ?? {})
  if (record.status === 'error') {
    effects.push(...turnFailure(asString(error?.type), asString(error?.message) ?? 'The turn failed.'))
  }
  return [...effects, { emit: { type: 'turn_end' } }]
}

/** Of this process only, also after a resume. A model that only routes the prompt is in it, too. */
function usage(state: DialogueState, stats: JsonRecord): Effect[] {
  const effects: Effect[] = []
  let mostUsed = { model: state.model, outputTokens: -1 }
  for (const [model, counts] of Object.entries(asRecord(stats.models) ?? {})) {
    if (!isRecord(counts)) continue
    const inputTokens = asNumber(counts.input_tokens) ?? 0
    const outputTokens = asNumber(counts.output_tokens) ?? 0
    if (inputTokens + outputTokens === 0) continue
    const cacheReadTokens = asNumber(counts.cached) ?? 0
    // Thoughts are counted in the total only.
    const thinkingTokens = Math.max(0, (asNumber(counts.total_tokens) ?? 0) - inputTokens - outputTokens)
    if (outputTokens > mostUsed.outputTokens) mostUsed = { model, outputTokens }
    effects.push({
      emit: {
        type: 'token_usage',
        inputTokens,
        outputTokens: outputTokens + thinkingTokens,
        thinkingTokens,
        cachedTokens: cacheReadTokens,
        cacheReadTokens,
        model,
      },
    })
  }
  if (state.model === undefined && mostUsed.model !== undefined) effects.push({ model: mostUsed.model })
  return effects
}
