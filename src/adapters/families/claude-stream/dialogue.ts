import type { Dialogue, DialogueCommand, DialogueExit, Effect } from '../../../contract/dialogue.ts'
import type { StreamSource } from '../../../contract/events.ts'
import type { RunOptions } from '../../../contract/run-options.ts'
import { NO_EFFECTS, recordEffects } from '../../../core/effects.ts'
import { type JsonRecord, textOf } from '../../../core/json.ts'
import { type CommandHandlers, handleCommand } from '../../kit/commands.ts'
import { assistantRecord, streamEvent, textDelta, userRecord } from './content.ts'
import { answer, controlCancel, controlRequest, controlResponse, request } from './control.ts'
import type { ClaudeDialect } from './dialect.ts'
import { exitEffects } from './exit.ts'
import { rateLimitEvent } from './plan-limits.ts'
import { unreportedUsage } from './reply-usage.ts'
import { resultRecord, subagentResult } from './result.ts'
import { createState, type DialogueState } from './state.ts'
import { systemRecord } from './system.ts'
import { textDeltaLine } from './text-delta-line.ts'
import { messageTaken, steer, turnEnded, userMessage, userTurn } from './turns.ts'
import { unknown } from './unknown.ts'

function start(state: DialogueState): Effect[] {
  const { dialect, options } = state
  state.busy = true
  if (options.nonInteractive) return NO_EFFECTS
  const effects: Effect[] = []
  if (dialect.initialize) effects.push(request(state, { subtype: 'initialize', ...dialect.initialize(options) }))
  effects.push(userMessage(dialect.promptContent(options)))
  return effects
}

function nativeRecord(state: DialogueState, record: JsonRecord): Effect[] {
  switch (record.type) {
    case 'stream_event':
      return streamEvent(state, record)
    case 'assistant':
      return assistantRecord(state, record)
    case 'user':
      return record.isReplay === true ? messageTaken(state, record) : userRecord(state, record)
    case 'system':
      return systemRecord(state, record)
    case 'result': {
      const ofSubagent = subagentResult(state, record)
      if (ofSubagent) return ofSubagent
      const effects = resultRecord(state, record)
      return [...effects, ...turnEnded(state)]
    }
    case 'control_request':
      return controlRequest(state, record)
    case 'control_response':
      return controlResponse(record)
    case 'control_cancel_request':
      return controlCancel(state, record)
    case 'rate_limit_event':
      return rateLimitEvent(state, record)
    default:
      return unknown(state, textOf(record.type) || 'record')
  }
}

function interrupt(state: DialogueState): Effect[] {
  return state.busy ? [request(state, { subtype: 'interrupt' })] : NO_EFFECTS
}

function setModel(state: DialogueState, model: string): Effect[] {
  return [request(state, { subtype: 'set_model', model })]
}

/** A closed stdin could not carry the answer to an approval, so the running turn ends first. */
function close(state: DialogueState): Effect[] {
  state.closing = true
  return state.busy ? NO_EFFECTS : [{ closeStdin: true }]
}

const COMMANDS: CommandHandlers<DialogueState> = { userTurn, steer, interrupt, answer, setModel, close }

/** Speaks the stream-json protocol of Claude Code, both its one-shot and its two-way form. */
export function claudeStreamDialogue(dialect: ClaudeDialect, options: RunOptions): Dialogue {
  const state = createState(dialect, options)
  return {
    start: () => start(state),
    onLine(line: string, source: StreamSource): Effect[] {
      if (source === 'stderr') return NO_EFFECTS
      const text = textDeltaLine(line)
      return text === null ? recordEffects(line, (record) => nativeRecord(state, record)) : textDelta(state, text)
    },
    onCommand: (command: DialogueCommand) => (options.nonInteractive ? null : handleCommand(COMMANDS, state, command)),
    onExit: (exit: DialogueExit) => exitEffects(state, exit),
    unreportedUsage: () => unreportedUsage(state),
    busy: () => state.busy,
  }
}
