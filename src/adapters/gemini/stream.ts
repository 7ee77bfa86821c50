import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS, sessionOpened, withdrawResponse } from '../../core/effects.ts'
import { asNumber, asRecord, asString, isRecord, type JsonRecord } from '../../core/json.ts'
import { ownDenial } from '../kit/denial.ts'
import { PLAIN_STRING, textOfForm } from '../kit/text-line.ts'
import { type ToolCall, toolDone, toolReady } from '../kit/tools.ts'
import { errorRecord, resultFailure } from './errors.ts'
import type { DialogueState } from './state.ts'
import { isRefused, TOOLS, toolNameOf, toolOutcome } from './tools.ts'

const TEXT_LINE = new RegExp(
  String.raw`^\{"type":"message","timestamp":"[^"\\\p{Cc}]*","role":"assistant","content":"(${PLAIN_STRING})","delta":true\}$`,
  'u',
)

/** Nearly every line of a run: read by its form. Null: it is another. */
export function textLine(line: string): Effect[] | null {
  const delta = textOfForm(TEXT_LINE, line)
  return delta === null ? null : [{ emit: { type: 'text_delta', delta } }]
}

/**
 * A record of `--output-format stream-json`: one turn, its text in pieces, nothing to answer. No thoughts are reported.
 */
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
      return errorRecord(state, record)
    case 'result':
      return result(state, record)
    case undefined:
      return 'response' in record || 'error' in record ? document(state, record) : [{ unrecognized: 'record' }]
    default:
      return [{ unrecognized: asString(record.type) ?? 'record' }]
  }
}

/** `--output-format json`, which no run of ours asks for: the whole turn in one. */
function document(state: DialogueState, record: JsonRecord): Effect[] {
  const text = asString(record.response) ?? ''
  const answer: Effect[] = text === '' ? NO_EFFECTS : [{ emit: { type: 'text_delta', delta: text } }]
  return [...sessionStart(state, record), ...answer, ...result(state, record)]
}

/** Gemini's launcher may start the CLI again, whose output goes on in the same stream: what is open ends there. */
function beginAgain({ calls }: DialogueState): Effect[] {
  const reason = 'The CLI started again.'
  const lost = [...calls.values()].map(
    ({ toolCallId, toolName }): Effect => ({ emit: { type: 'tool_error', toolCallId, toolName, error: reason } }),
  )
  calls.clear()
  return [...lost, withdrawResponse(reason)]
}

function sessionStart(state: DialogueState, record: JsonRecord): Effect[] {
  const again = state.begun && !state.settled ? beginAgain(state) : NO_EFFECTS
  state.begun = true
  const opened = sessionOpened(state.options, asString(record.session_id) ?? '')
  const effects: Effect[] = [...again, ...opened, { emit: { type: 'turn_start' } }]
  const model = asString(record.model)
  // `auto` is a router, not a model: what it chose is reported at the end.
  if (model === undefined || model.startsWith('auto')) return effects
  state.model = model
  return [...effects, { model }]
}

function toolUse(state: DialogueState, record: JsonRecord): Effect[] {
  const toolCallId = asString(record.tool_id) ?? ''
  const toolName = toolNameOf(asString(record.tool_name) ?? '', state.options)
  const call: ToolCall = { toolCallId, toolName, input: record.parameters }
  state.calls.set(toolCallId, call)
  return [
    { emit: { type: 'tool_call_start', toolCallId, toolName } },
    ...toolReady(TOOLS, call, state.options.cwd ?? ''),
  ]
}

function toolResult(state: DialogueState, record: JsonRecord): Effect[] {
  const toolCallId = asString(record.tool_id) ?? ''
  const call = state.calls.get(toolCallId) ?? { toolCallId, toolName: '', input: undefined }
  state.calls.delete(toolCallId)
  const outcome = toolOutcome(record)
  const done = toolDone(TOOLS, call, outcome)
  return isRefused(call.toolName, record) ? [...ownDenial(call, outcome.error ?? ''), ...done] : done
}

function result(state: DialogueState, record: JsonRecord): Effect[] {
  state.settled = true
  return [
    ...usage(state, asRecord(record.stats) ?? {}),
    ...resultFailure(state, record),
    { emit: { type: 'turn_end' } },
  ]
}

/** In the stream, and one level down by other names in a document. */
function readCounts(counts: JsonRecord) {
  const tokens = asRecord(counts.tokens)
  const [native, names] = tokens
    ? ([tokens, ['prompt', 'candidates', 'total']] as const)
    : ([counts, ['input_tokens', 'output_tokens', 'total_tokens']] as const)
  const [inputTokens = 0, outputTokens = 0, totalTokens = 0] = names.map((name) => asNumber(native[name]))
  return { inputTokens, outputTokens, totalTokens, cacheReadTokens: asNumber(native.cached) ?? 0 }
}

/** Of this process only, also after a resume. A model that only routes the prompt is in it, too. */
function usage(state: DialogueState, stats: JsonRecord): Effect[] {
  const effects: Effect[] = []
  let mostUsed = { model: state.model, outputTokens: -1 }
  for (const [model, counts] of Object.entries(asRecord(stats.models) ?? {})) {
    if (!isRecord(counts)) continue
    const { inputTokens, outputTokens, cacheReadTokens, totalTokens } = readCounts(counts)
    if (inputTokens + outputTokens === 0) continue
    // Thoughts are counted in the total only.
    const thinkingTokens = Math.max(0, totalTokens - inputTokens - outputTokens)
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
