import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS, warning } from '../../core/effects.ts'
import { decideFailure } from '../../core/failure-codes.ts'
import { CUT_ANSWER, type FailureKind, failTurn } from '../../core/failures.ts'
import { asArray, asNumber, asRecord, asRecords, asString, type JsonRecord } from '../../core/json.ts'
import { ENDPOINT_PROVIDER } from './endpoint.ts'
import { begin, type DialogueState } from './state.ts'

const GUIDANCE = 'Run `openclaw models auth login`, or set the key of the provider, such as ANTHROPIC_API_KEY.'

/** As it is asked for: with its provider, unless that is an endpoint which the caller has given. */
export function modelName(provider = '', model = ''): string {
  return provider === '' || provider === ENDPOINT_PROVIDER ? model : `${provider}/${model}`
}

/** The result of `agent exec`, that of `agent --local` brought into its form, or an error of the CLI itself. */
export function documentEffects(state: DialogueState, document: JsonRecord): Effect[] {
  const meta = asRecord(document.meta)
  const agentMeta = asRecord(meta?.agentMeta)
  if (meta && agentMeta) {
    const final = asString(meta.finalAssistantVisibleText)
    return resultEffects(state, { final, ...agentMeta, ...meta, payloads: document.payloads })
  }
  if (document.payloads !== undefined || asRecord(document.error)) return resultEffects(state, document)
  return [{ unrecognized: 'document' }]
}

function resultEffects(state: DialogueState, result: JsonRecord): Effect[] {
  state.settled = true
  return [
    ...sessionStart(state, asString(result.sessionId) ?? ''),
    ...begin(state),
    ...toolEffects(state, asRecord(result.toolSummary)),
    ...payloadEffects(result),
    ...usageEffects(result),
    ...failureEffects(result),
    { emit: { type: 'turn_end' } },
  ]
}

function sessionStart(state: DialogueState, sessionId: string): Effect[] {
  if (sessionId === '' || sessionId === state.sessionId) return NO_EFFECTS
  state.sessionId = sessionId
  return [{ emit: { type: 'session_start', sessionId, resumed: state.options.sessionId === sessionId } }]
}

/** A log that is less talkative leaves the names of the tools that were called. */
function toolEffects({ reportedTools, sessionId }: DialogueState, summary: JsonRecord | undefined): Effect[] {
  if (!summary) return NO_EFFECTS
  const reason = 'openclaw tells the names of the tools only'
  const effects: Effect[] = [{ emit: { type: 'stream_fallback', capability: 'tool_calls', reason } }]
  const failures = asNumber(summary.failures) ?? 0
  if (failures > 0) effects.push(warning(`${failures} of ${asNumber(summary.calls) ?? failures} tool calls failed.`))
  if (reportedTools) return effects
  for (const [index, name] of calledTools(summary).entries()) {
    const call = { toolCallId: `${sessionId}:${index}`, toolName: asString(name) ?? '' }
    effects.push(
      { emit: { type: 'tool_call_start', ...call } },
      { emit: { type: 'tool_result', ...call, output: null } },
    )
  }
  return effects
}

/** Each name once, but how many calls there were in all: of one tool, that is how often it was called. */
function calledTools({ tools, calls }: JsonRecord): unknown[] {
  const names = asArray(tools)
  return names.length === 1 ? Array.from({ length: asNumber(calls) ?? 1 }, () => names[0]) : names
}

/** The CLI's own remark on an answer that ended at the limit of tokens, which it takes for one. */
const CUT = /\n*⚠️ Reply truncated at the model's output token limit[^\n]*$/u

function isCut(result: JsonRecord): boolean {
  return asRecords(result.payloads).some(({ text }) => CUT.test(asString(text) ?? ''))
}

/** Thinking and remarks on the way come as payloads of their own; all others together are the answer. */
function payloadEffects(result: JsonRecord): Effect[] {
  const effects: Effect[] = []
  const answer: string[] = []
  for (const payload of asRecords(result.payloads)) {
    const text = (asString(payload.text) ?? '').trimEnd().replace(CUT, '')
    if (text === '' || payload.isError === true) continue
    if (payload.isReasoning === true) effects.push(...thinking(text))
    else if (payload.isCommentary === true) effects.push(...message(text))
    else answer.push(text)
  }
  const text = (asString(result.final) ?? '').replace(CUT, '') || answer.join('\n')
  if (text !== '') effects.push(...message(text))
  if (effects.length === 0) return NO_EFFECTS
  const reason = 'openclaw tells the answer at its end only'
  return [{ emit: { type: 'stream_fallback', capability: 'text', reason } }, ...effects]
}

function message(text: string): Effect[] {
  return [{ emit: { type: 'text_delta', delta: text } }, { emit: { type: 'message_stop', text } }]
}

function thinking(text: string): Effect[] {
  return [{ emit: { type: 'thinking_delta', delta: text } }, { emit: { type: 'thinking_stop', thinking: text } }]
}

function usageEffects(result: JsonRecord): Effect[] {
  const usage = asRecord(result.usage)
  const model = asString(result.model)
  const name = model === undefined ? undefined : modelName(asString(result.provider), model)
  const effects: Effect[] = name === undefined ? [] : [{ model: name }]
  if (!usage) return effects
  const count = (key: string) => asNumber(usage[key]) ?? 0
  const [cacheReadTokens, cacheCreationTokens] = [count('cacheRead'), count('cacheWrite')]
  const tokens = {
    inputTokens: count('input') + cacheReadTokens + cacheCreationTokens,
    outputTokens: count('output'),
    thinkingTokens: count('reasoningTokens'),
    cacheReadTokens,
    cacheCreationTokens,
  }
  effects.push({ emit: { type: 'token_usage', ...tokens, model: name } })
  // A model whose price it does not know costs nothing, it says.
  const totalUsd = asNumber(result.costUsd) ?? 0
  if (totalUsd > 0) effects.push({ emit: { type: 'cost', cost: { totalUsd, ...tokens, source: 'agent' } } })
  return effects
}

/** What it says of a request that failed, which it calls a timeout, too; a run that took too long is reported differently. */
const LOST_REQUEST = /^LLM request (timed out|failed: .*(connection|network|unreachable))/i

const RETRY_AFTER = /Retry-After: (\d+) seconds/i

function failureEffects(result: JsonRecord): Effect[] {
  const error = asRecord(result.error)
  if (!error && isCut(result)) return failTurn('unknown', { message: CUT_ANSWER })
  if (!error && result.ok !== false && result.aborted !== true) return NO_EFFECTS
  const message = asString(error?.message) ?? 'The turn failed.'
  switch (result.aborted === true ? 'aborted' : LOST_REQUEST.test(message) ? 'network' : error?.kind) {
    case 'timeout':
      return [{ fail: { event: { type: 'timeout', kind: 'run' }, outcome: { kind: 'timed_out', evidence: message } } }]
    case 'network':
      return failTurn('network', { message })
    case 'aborted':
      return failTurn('cancelled', { message })
    case 'context_overflow':
    case 'compaction_failure':
      return failTurn('context', { message })
    default:
      return failTurn(failureKind(message), { message, guidance: GUIDANCE, ...retryAfter(message) })
  }
}

/** Without a gateway that knows us the CLI asks for its credentials. */
function failureKind(message: string): FailureKind {
  return /requires credentials/i.test(message) ? 'auth' : decideFailure({ words: message })
}

function retryAfter(message: string): { retryAfterMs?: number } {
  const seconds = RETRY_AFTER.exec(message)?.[1]
  return seconds === undefined ? {} : { retryAfterMs: Number(seconds) * 1000 }
}
