import type { Dialogue, DialogueCommand, DialogueExit, Effect } from '../../../contract/dialogue.ts'
import type { StreamSource } from '../../../contract/events.ts'
import type { RunOptions } from '../../../contract/run-options.ts'
import { NO_EFFECTS, recordEffects, warning } from '../../../core/effects.ts'
import { asRecord, asString, type JsonRecord } from '../../../core/json.ts'
import { type CommandHandlers, handleCommand } from '../../kit/commands.ts'
import { isBusy } from '../../kit/turn-queue.ts'
import { callEnded, callStarted, callUpdated } from './calls.ts'
import type { PiDialect } from './dialect.ts'
import { answer, dialogRequest } from './dialogs.ts'
import { exitEffects } from './exit.ts'
import { messageEnd, messageStart, messageUpdate, wholeText } from './messages.ts'
import { response } from './responses.ts'
import { compactionEnded, compactionStarted, retryEnded, retryStarted } from './retries.ts'
import { firstPrompt, send, sendModel, sendPrompt } from './rpc.ts'
import { sessionHeader } from './session.ts'
import { createState, type DialogueState } from './state.ts'
import { subagentNotice } from './subagents.ts'
import { close, interrupt, loopEnded, loopSettled, loopStarted, settle, steer, userTurn } from './turns.ts'

function start(state: DialogueState): Effect[] {
  const { dialect, options } = state
  state.turnOpen = true
  if (options.nonInteractive) return NO_EFFECTS
  state.live = true
  const effects: Effect[] = []
  if (dialect.reportsSubagents) effects.push(send(state, 'set_subagent_subscription', { level: 'progress' }))
  effects.push(send(state, 'get_state'), sendPrompt(state, firstPrompt(state)))
  return effects
}

function nativeRecord(state: DialogueState, record: JsonRecord): Effect[] {
  const message = asRecord(record.message) ?? {}
  switch (record.type) {
    case 'message_update':
      return messageUpdate(state, record)
    case 'message_start':
      return messageStart(state, message)
    case 'message_end':
      return messageEnd(state, message)
    case 'tool_execution_start':
      return callStarted(state, record)
    case 'tool_execution_update':
      return callUpdated(state, record)
    case 'tool_execution_end':
      return callEnded(state, record)
    case 'agent_start':
      return loopStarted(state)
    case 'agent_end':
      return loopEnded(state, record)
    case 'agent_settled':
      return loopSettled(state, record)
    case 'session':
      return sessionHeader(state, record)
    case 'response':
      return response(state, record)
    case 'prompt_result':
      return state.turnOpen && !state.begun && record.agentInvoked === false ? settle(state) : NO_EFFECTS
    case 'extension_ui_request':
      return dialogRequest(state, record)
    case 'auto_retry_start':
      return retryStarted(state, record)
    case 'auto_retry_end':
      return retryEnded(state, record)
    case 'compaction_start':
    case 'auto_compaction_start':
      return compactionStarted(state)
    case 'compaction_end':
    case 'auto_compaction_end':
      return compactionEnded(state, record)
    case 'subagent_lifecycle':
      return subagentNotice(state, asRecord(record.payload) ?? {})
    case 'command_output':
      return wholeText(state, asString(record.text) ?? '')
    case 'notice':
      return record.level === 'info' ? NO_EFFECTS : [warning(asString(record.message) ?? '')]
    case 'extension_error':
      return [warning(`extension ${asString(record.extensionPath) ?? ''}: ${asString(record.error) ?? ''}`)]
    default: {
      const type = asString(record.type) ?? 'record'
      return state.dialect.silent.has(type) ? NO_EFFECTS : [{ unrecognized: type }]
    }
  }
}

const COMMANDS: CommandHandlers<DialogueState> = { userTurn, steer, interrupt, answer, setModel: sendModel, close }

/** Speaks with Pi and its kin: the one-way records of `--mode json`, and the same with commands of `--mode rpc`. */
export function piDialogue(dialect: PiDialect, options: RunOptions): Dialogue {
  const state = createState(dialect, options)
  return {
    start: () => start(state),
    onLine(line: string, source: StreamSource): Effect[] {
      return source === 'stderr' || state.gaveUp
        ? NO_EFFECTS
        : recordEffects(line, (record) => nativeRecord(state, record))
    },
    onCommand: (command: DialogueCommand) => (state.live ? handleCommand(COMMANDS, state, command) : null),
    onExit: (exit: DialogueExit) => exitEffects(state, exit),
    busy: () => isBusy(state),
  }
}
