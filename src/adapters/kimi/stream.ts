import type { Dialogue, DialogueExit, Effect } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { NO_EFFECTS, recordEffects, sessionOpened } from '../../core/effects.ts'
import { decideFailure } from '../../core/failure-codes.ts'
import { failTurn } from '../../core/failures.ts'
import { asNumber, asRecord, asRecords, asString, type JsonRecord, parseRecord, textOf } from '../../core/json.ts'
import { ownDenial } from '../kit/denial.ts'
import { endWithoutResult } from '../kit/one-way.ts'
import { type ToolCall, toolDone, toolReady } from '../kit/tools.ts'
import { GUIDANCE } from './profile.ts'
import { createState, type DialogueState } from './state.ts'
import { DENIED, TOOLS, toolOutcome } from './tools.ts'

/** A record of `kimi -p … --output-format stream-json`: whole messages in the form of OpenAI's chat. */
function streamRecord(state: DialogueState, record: JsonRecord): Effect[] {
  switch (record.role) {
    case 'assistant':
      return assistant(state, record)
    case 'tool':
      return toolResult(state, record)
    case 'meta':
      return meta(state, record)
    // The outcome of a `/goal`, which the exit code reports as well.
    case undefined:
      return record.type === 'goal.summary' ? NO_EFFECTS : [{ unrecognized: 'record' }]
    default:
      return [{ unrecognized: `role:${textOf(record.role)}` }]
  }
}

function assistant(state: DialogueState, record: JsonRecord): Effect[] {
  const effects = [...begin(state)]
  const delta = textOf(record.content)
  if (delta !== '') effects.push({ emit: { type: 'message_start' } }, { emit: { type: 'text_delta', delta } })
  for (const { id, function: called } of asRecords(record.tool_calls)) {
    const { name, arguments: input } = asRecord(called) ?? {}
    const reported = parseRecord(asString(input) ?? '')
    const call: ToolCall = {
      toolCallId: asString(id) ?? '',
      toolName: asString(name) ?? 'tool',
      input: reported ?? input,
      inBackground: reported?.run_in_background === true,
    }
    state.calls.set(call.toolCallId, call)
    effects.push(...toolReady(TOOLS, call, state.options.cwd ?? ''))
  }
  return effects
}

function toolResult(state: DialogueState, record: JsonRecord): Effect[] {
  const call = state.calls.get(asString(record.tool_call_id) ?? '')
  if (!call) return NO_EFFECTS
  state.calls.delete(call.toolCallId)
  const outcome = toolOutcome(call, textOf(record.content))
  const denied = outcome.error !== undefined && DENIED.test(outcome.error)
  return [...(denied ? ownDenial(call, outcome.error ?? '') : NO_EFFECTS), ...toolDone(TOOLS, call, outcome)]
}

function meta(state: DialogueState, record: JsonRecord): Effect[] {
  switch (record.type) {
    case 'system.version':
      return NO_EFFECTS
    case 'turn.step.retrying':
      return [...begin(state), ...retrying(record)]
    // The last record of a run that went well, and the only one with the id of the session.
    case 'session.resume_hint': {
      state.settled = true
      const opened = sessionOpened(state.options, asString(record.session_id) ?? '')
      return [...opened, { emit: { type: 'turn_end' } }]
    }
    default:
      return [{ unrecognized: `meta:${textOf(record.type)}` }]
  }
}

/** A try that failed is the first sign of a turn, where there is no other. */
function begin(state: DialogueState): Effect[] {
  if (state.begun) return NO_EFFECTS
  state.begun = true
  return [{ emit: { type: 'turn_start' } }]
}

function retrying(record: JsonRecord): Effect[] {
  const retry: Effect = {
    emit: {
      type: 'retry',
      attempt: asNumber(record.failed_attempt) ?? 1,
      maxAttempts: (asNumber(record.max_attempts) ?? 1) - 1,
      reason: asString(record.error_message) ?? asString(record.error_name) ?? '',
      delayMs: asNumber(record.delay_ms) ?? 0,
    },
  }
  return record.status_code === 429 ? [{ emit: { type: 'rate_limited' } }, retry] : [retry]
}

const FAILED = /^error: (?:failed to run prompt: )?(.+)$/m
const NO_MODEL = /no model configured/i

/** Why a run failed is on stderr only. */
function exitEffects(state: DialogueState, exit: DialogueExit): Effect[] {
  if (state.settled) return NO_EFFECTS
  const message = FAILED.exec(exit.stderr)?.[1]
  if (message !== undefined) {
    const kind = NO_MODEL.test(message) ? 'auth' : decideFailure({ words: message })
    return failTurn(kind, { message, guidance: kind === 'auth' ? GUIDANCE : undefined })
  }
  return endWithoutResult({ displayName: 'Kimi', guidance: GUIDANCE }, exit)
}

/** Reads recordings of the CLI's own stream. Runs use ACP. */
export function streamDialogue(options: RunOptions): Dialogue {
  const state = createState(options)
  return {
    start: () => NO_EFFECTS,
    // What a tool prints shows on stderr, too.
    onLine: (line, source) =>
      source === 'stderr' ? NO_EFFECTS : recordEffects(line, (record) => streamRecord(state, record)),
    onCommand: () => null,
    onExit: (exit) => exitEffects(state, exit),
  }
}
