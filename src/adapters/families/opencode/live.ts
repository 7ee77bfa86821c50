import type { Dialogue, DialogueCommand, Effect, TurnFailure } from '../../../contract/dialogue.ts'
import type { StreamSource } from '../../../contract/events.ts'
import type { RunOptions } from '../../../contract/run-options.ts'
import { NO_EFFECTS } from '../../../core/effects.ts'
import { failTurn } from '../../../core/failures.ts'
import { continuesSession } from '../../kit/continues-session.ts'
import { type ToolCall, toolDone, toolReady } from '../../kit/tools.ts'
import { nativeModel, plainModel } from './config.ts'
import type { OpencodeDialect } from './dialect.ts'
import { answered, createRetries, logLine, settled } from './retries.ts'
import { ABORTED, TOOLS } from './tools.ts'

/** What the config of the run says already need not be said again in the protocol. */
export function protocolOptions(options: RunOptions): RunOptions {
  const { systemPrompt: _prompt, temperature: _t, topP: _p, maxTokens: _m, maxOutputTokens: _o, ...rest } = options
  return { ...rest, model: nativeModel(options, options.model) }
}

const NO_REASON = /service failure/i
const MISSING_MODEL = /model not found: ([^/\s]+)\//i

/** A model is missing because its provider is: then no model of it is offered, for want of credentials. */
function lacksProvider({ outcome }: TurnFailure, offered: string): boolean {
  const provider = MISSING_MODEL.exec(outcome.evidence ?? '')?.[1]
  return provider !== undefined && !offered.includes(`"value":"${provider}/`)
}

function withPlainModel(effect: Effect): Effect {
  if ('model' in effect) return { model: plainModel(effect.model) }
  if (!('emit' in effect) || effect.emit.type !== 'token_usage') return effect
  const { model } = effect.emit
  return model === undefined ? effect : { emit: { ...effect.emit, model: plainModel(model) } }
}

/** The protocol knows no sub-agents: a call of the tool that starts one reports it. */
function withSubagent(effect: Effect, starts: Map<string, ToolCall>): Effect[] {
  if (!('emit' in effect)) return [effect]
  const { emit } = effect
  if (emit.type === 'tool_call_ready' && emit.toolName === 'task') {
    starts.set(emit.toolCallId, emit)
    return toolReady(TOOLS, emit, '')
  }
  const call = 'toolCallId' in emit ? starts.get(emit.toolCallId ?? '') : undefined
  if (!call || (emit.type !== 'tool_result' && emit.type !== 'tool_error')) return [effect]
  return toolDone(TOOLS, call, emit.type === 'tool_error' ? { output: '', error: emit.error } : { output: emit.output })
}

/** Reported as a call that was completed. */
function asAborted(effect: Effect): Effect {
  if (!('emit' in effect)) return effect
  const { emit } = effect
  if (emit.type === 'shell_exit') return { emit: { ...emit, exitCode: -1 } }
  if (emit.type !== 'tool_result') return effect
  const { toolCallId, toolName, parentToolCallId } = emit
  return { emit: { type: 'tool_error', toolCallId, toolName, parentToolCallId, error: ABORTED } }
}

/** A cost of 0 is what the agent says of a model without a known price. */
function isUnpriced(effect: Effect): boolean {
  return 'emit' in effect && effect.emit.type === 'cost' && effect.emit.cost.totalUsd === 0
}

const ANSWER = '"sessionUpdate":"agent_'

/** The dialogue over ACP, with the tries that only the log reports, and models by the names that the caller uses. */
export function liveDialogue({ guidance }: OpencodeDialect, options: RunOptions, acp: Dialogue): Dialogue {
  const retries = createRetries()
  const starts = new Map<string, ToolCall>()
  let offered = ''
  const translate = (effect: Effect): Effect[] => {
    if (isUnpriced(effect)) return NO_EFFECTS
    if (!('fail' in effect)) return withSubagent(withPlainModel(effect), starts)
    const message = effect.fail.outcome.evidence ?? ''
    if (lacksProvider(effect.fail, offered)) return failTurn('auth', { message, guidance: guidance })
    // Of an id that is none of its own, the agent says no more than that something failed.
    const isMissing = offered === '' && continuesSession(options) && NO_REASON.test(message)
    return isMissing ? failTurn('session_not_found', { message }) : [effect]
  }
  const onLine = (line: string, source: StreamSource): Effect[] => {
    if (source === 'stderr') return logLine(retries, line)
    if (line.includes('"configOptions":')) offered = line
    const before = retries.failedTry !== undefined && line.includes(ANSWER) ? answered(retries) : NO_EFFECTS
    const reported = acp.onLine(line, source)
    const effects = line.includes(ABORTED) ? reported.map(asAborted) : reported
    if (effects.some((effect) => 'emit' in effect && effect.emit.type === 'turn_end')) settled(retries)
    return [...before, ...effects.flatMap(translate)]
  }
  return {
    ...acp,
    onLine,
    onCommand: (command: DialogueCommand) =>
      command.type === 'set_model'
        ? acp.onCommand({ type: 'set_model', model: nativeModel(options, command.model) ?? '' })
        : acp.onCommand(command),
  }
}
