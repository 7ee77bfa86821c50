import type { Dialogue, DialogueExit, Effect } from '../../../contract/dialogue.ts'
import type { StreamSource } from '../../../contract/events.ts'
import type { RunOptions } from '../../../contract/run-options.ts'
import { NO_EFFECTS, recordEffects, sessionOpened } from '../../../core/effects.ts'
import { type ExitWords, exitFailure, wasStopped } from '../../../core/exit.ts'
import { failTurn } from '../../../core/failures.ts'
import { asRecord, asString, type JsonRecord, textOf } from '../../../core/json.ts'
import { ownDenial } from '../../kit/denial.ts'
import { type ToolCall, toolDone, toolReady } from '../../kit/tools.ts'
import type { OpencodeDialect } from './dialect.ts'
import { errorFailure, type NativeError, readError, reasonFailure, withLoggedCause } from './errors.ts'
import { answered, createRetries, logLine, type Retries, settled } from './retries.ts'
import { TOOLS, toolName, toolOutcome, wasDenied } from './tools.ts'
import { createUsage, type RunUsage, stepEnd, stepStart, stepUsage } from './usage.ts'

interface DialogueState {
  readonly dialect: OpencodeDialect
  readonly options: RunOptions
  readonly usage: RunUsage
  sessionId: string
  /** The message whose step has begun and not ended. */
  openStep: string
  /** How the last step ended. */
  lastReason: string
  hasDenied: boolean
  readonly retries: Retries
  /** The last error that nothing good has followed. */
  error: NativeError | undefined
  readonly reportedFallbacks: Set<string>
}

function sessionStart({ options }: DialogueState, sessionId: string): Effect[] {
  return [...sessionOpened(options, sessionId), { emit: { type: 'turn_start' } }]
}

/** A step that begins again, or begins after a failed try, is a retry: the agent says so nowhere else. */
function stepStarted(state: DialogueState, part: JsonRecord): Effect[] {
  const message = asString(part.messageID) ?? ''
  const isAgain = message !== '' && state.openStep === message
  state.openStep = message
  const retried = answered(state.retries, isAgain ? 'the connection broke' : undefined)
  return [{ mayBeOver: false }, ...retried, stepStart()]
}

function stepFinished(state: DialogueState, part: JsonRecord): Effect[] {
  state.openStep = ''
  settled(state.retries)
  state.error = undefined
  state.lastReason = asString(part.reason) ?? ''
  const effects = [...stepUsage(state.usage, part, state.options.model), stepEnd()]
  return isAnswer(state) ? [...effects, { mayBeOver: true }] : effects
}

/** The last step was the answer: it leaves by itself now, unless it hangs. */
function isAnswer({ openStep, lastReason }: DialogueState): boolean {
  return openStep === '' && lastReason === 'stop'
}

/** This form reports whole parts only. */
function fallback(state: DialogueState, capability: 'text' | 'thinking'): Effect[] {
  if (state.reportedFallbacks.has(capability)) return NO_EFFECTS
  state.reportedFallbacks.add(capability)
  const reason = `${state.dialect.command} run tells whole parts only`
  return [{ emit: { type: 'stream_fallback', capability, reason } }]
}

function text(state: DialogueState, part: JsonRecord): Effect[] {
  const delta = asString(part.text) ?? ''
  if (delta === '') return NO_EFFECTS
  return [
    ...fallback(state, 'text'),
    { emit: { type: 'message_start' } },
    { emit: { type: 'text_delta', delta } },
    { emit: { type: 'message_stop', text: delta } },
  ]
}

function reasoning(state: DialogueState, part: JsonRecord): Effect[] {
  const delta = asString(part.text) ?? ''
  if (delta === '') return NO_EFFECTS
  return [
    ...fallback(state, 'thinking'),
    { emit: { type: 'thinking_start' } },
    { emit: { type: 'thinking_delta', delta } },
    { emit: { type: 'thinking_stop', thinking: delta } },
  ]
}

function toolUse(state: DialogueState, part: JsonRecord): Effect[] {
  const { options } = state
  const native = asRecord(part.state) ?? {}
  const name = toolName(asString(part.tool) ?? '', options)
  const call: ToolCall = { toolCallId: asString(part.callID) ?? '', toolName: name, input: native.input }
  const outcome = toolOutcome(native)
  const { toolCallId } = call
  const effects: Effect[] = [{ emit: { type: 'tool_call_start', toolCallId, toolName: name } }]
  if (outcome.error !== undefined && wasDenied(outcome.error)) {
    state.hasDenied = true
    effects.push({ emit: { type: 'tool_call_ready', toolCallId, toolName: name, input: call.input } })
    effects.push(...ownDenial(call, outcome.error, textOf(call.input)))
    effects.push({ emit: { type: 'tool_error', toolCallId, toolName: name, error: outcome.error } })
    return effects
  }
  effects.push(...toolReady(TOOLS, call, options.cwd ?? ''), ...toolDone(TOOLS, call, outcome))
  return effects
}

/** Kilo also says in words that a permission was refused; the refused call has reported it. */
const AFTER_DENIAL = /auto-rejected permission/

function errorRecord(state: DialogueState, record: JsonRecord): Effect[] {
  const error = readError(record.error)
  settled(state.retries)
  // The first reports the cause; what follows are failed attempts to fix it.
  if (!AFTER_DENIAL.test(error.message) && !hasCause(state.error)) state.error = error
  return NO_EFFECTS
}

function hasCause(error: NativeError | undefined): boolean {
  return error !== undefined && error.data.ref === undefined
}

function nativeRecord(state: DialogueState, record: JsonRecord): Effect[] {
  const effects: Effect[] = []
  const sessionId = asString(record.sessionID) ?? ''
  if (state.sessionId === '' && sessionId !== '') {
    state.sessionId = sessionId
    effects.push(...sessionStart(state, sessionId))
  }
  effects.push(...partRecord(state, record))
  return effects
}

function partRecord(state: DialogueState, record: JsonRecord): Effect[] {
  const part = asRecord(record.part) ?? {}
  switch (record.type) {
    case 'step_start':
      return stepStarted(state, part)
    case 'text':
      return text(state, part)
    case 'reasoning':
      return reasoning(state, part)
    case 'tool_use':
      return toolUse(state, part)
    case 'step_finish':
      return stepFinished(state, part)
    case 'error':
      return errorRecord(state, record)
    default:
      return [{ unrecognized: textOf(record.type) || 'record' }]
  }
}

const EXIT_WORDS: readonly ExitWords[] = [{ pattern: /Session not found/, kind: 'session_not_found' }]

function exitEffects(state: DialogueState, exit: DialogueExit): Effect[] {
  const effects = verdict(state, exit)
  return state.sessionId === '' ? effects : [...effects, { emit: { type: 'turn_end' } }]
}

function verdict(state: DialogueState, exit: DialogueExit): Effect[] {
  const { dialect, error } = state
  if (error) return errorFailure(dialect, withLoggedCause(error, exit.stderr))
  const reported = state.sessionId === '' ? exitFailure(exit, EXIT_WORDS) : NO_EFFECTS
  if (reported.length > 0) return reported
  if (isAnswer(state)) return NO_EFFECTS
  if (wasStopped(exit)) return failTurn('cancelled', { message: `${dialect.displayName} was asked to end.` })
  return exit.exitCode === 0 ? endOfTurn(state) : NO_EFFECTS
}

/** It leaves with 0 however the turn went. */
function endOfTurn({ dialect, sessionId, openStep, lastReason, hasDenied }: DialogueState): Effect[] {
  const name = dialect.displayName
  if (sessionId === '') return failTurn('protocol_drift', { message: `${name} ended without a word about the turn.` })
  const cutShort = reasonFailure(lastReason)
  if (cutShort.length > 0) return cutShort
  // After a call that was denied it goes on no more.
  const isMidTurn = openStep !== '' || lastReason === '' || (lastReason === 'tool-calls' && !hasDenied)
  return isMidTurn ? failTurn('protocol_drift', { message: `${name} ended in the middle of a turn.` }) : NO_EFFECTS
}

/** Reads `opencode run --format json`. The end of the process is the only end of a turn that can be relied on. */
export function opencodeRunDialogue(dialect: OpencodeDialect, options: RunOptions): Dialogue {
  const state: DialogueState = {
    dialect,
    options,
    usage: createUsage(),
    sessionId: '',
    openStep: '',
    lastReason: '',
    hasDenied: false,
    retries: createRetries(),
    error: undefined,
    reportedFallbacks: new Set(),
  }
  return {
    start: () => NO_EFFECTS,
    onLine(line: string, source: StreamSource): Effect[] {
      return source === 'stderr'
        ? logLine(state.retries, line)
        : recordEffects(line, (record) => nativeRecord(state, record))
    },
    onCommand: () => null,
    onExit: (exit: DialogueExit) => exitEffects(state, exit),
  }
}
