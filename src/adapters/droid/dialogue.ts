import type { Dialogue, DialogueExit, Effect } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { NO_EFFECTS, recordEffects, warning } from '../../core/effects.ts'
import { wasStopped } from '../../core/exit.ts'
import { decideFailure } from '../../core/failure-codes.ts'
import { failTurn } from '../../core/failures.ts'
import { asNumber, asRecord, asString, type JsonRecord, textOf } from '../../core/json.ts'
import { tellingLine } from '../../core/stderr.ts'
import { acpDialogue } from '../families/acp/dialogue.ts'
import { eitherWire } from '../families/acp/either-wire.ts'
import { type CommandHandlers, handleCommand } from '../kit/commands.ts'
import { modelOf, sessionNotification } from './notices.ts'
import { answer, askUser, requestPermission } from './requests.ts'
import { firstMessage, initialize, load, modelId, refuse, request, settings, userMessage } from './rpc.ts'
import { createState, type DialogueState } from './state.ts'
import { streamRecord } from './stream.ts'
import { failure, GUIDANCE } from './turns.ts'

function start(state: DialogueState): Effect[] {
  const { sessionId, forkSessionId, endpoint, maxOutputTokens, maxTokens } = state.options
  const effects: Effect[] = []
  if (!endpoint && (maxOutputTokens ?? maxTokens) !== undefined) {
    effects.push(warning('droid has no setting for maxTokens without an endpoint; ignored.'))
  }
  state.busy = true
  if (forkSessionId !== undefined) effects.push(load(state, 'load-origin', forkSessionId))
  else effects.push(sessionId === undefined ? initialize(state) : load(state, 'load', sessionId))
  return effects
}

function response(state: DialogueState, record: JsonRecord): Effect[] {
  const id = asString(record.id) ?? ''
  const sent = state.sent.get(id)
  state.sent.delete(id)
  const error = asRecord(record.error)
  if (error) return refused(state, sent, error)
  const result = asRecord(record.result) ?? {}
  const { sessionId: resumed, forkSessionId } = state.options
  switch (sent) {
    case 'load-origin':
      return [request(state, 'fork', 'fork_session', {})]
    case 'fork':
      state.sessionId = textOf(result.newSessionId)
      return [load(state, 'load', state.sessionId)]
    case 'load':
      return begin(state, state.sessionId || (resumed ?? forkSessionId ?? ''), result)
    case 'settings':
      return [...modelOf(state, { modelId: modelId(state.options, state.options.model ?? state.defaultModel) })]
    default:
      // Without a request of ours it is a recording, and what has a session is the answer to the first one.
      return sent === 'initialize' || result.session !== undefined
        ? begin(state, textOf(result.sessionId), result)
        : NO_EFFECTS
  }
}

function begin(state: DialogueState, sessionId: string, result: JsonRecord): Effect[] {
  const { sessionId: resumed, forkSessionId: forkedFrom } = state.options
  state.sessionId = sessionId
  const effects: Effect[] = [
    { emit: { type: 'session_start', sessionId, resumed: resumed !== undefined, forkedFrom } },
    ...modelOf(state, asRecord(result.settings) ?? {}),
  ]
  if (forkedFrom !== undefined) effects.push({ emit: { type: 'session_fork', sessionId, forkedFrom } })
  effects.push({ emit: { type: 'turn_start' } })
  state.turnOpen = true
  if (!state.busy) return effects
  const changed = resumed !== undefined || forkedFrom !== undefined ? settings(state) : null
  if (changed) effects.push(changed)
  effects.push(firstMessage(state))
  return effects
}

const SESSION_NOT_FOUND = -32004

function refused(state: DialogueState, sent: string | undefined, error: JsonRecord): Effect[] {
  const message = textOf(error.message)
  if (sent === 'settings' || sent === 'other') return [warning(message)]
  state.ended = true
  const missing = asNumber(error.code) === SESSION_NOT_FOUND
  if (missing) return failTurn('session_not_found', { message, endNow: true })
  const kind = decideFailure({ words: message })
  return failTurn(kind === 'unknown' ? 'invalid_request' : kind, { message, endNow: true })
}

function nativeRecord(state: DialogueState, record: JsonRecord): Effect[] {
  if (state.ended) return NO_EFFECTS
  if (record.jsonrpc === undefined) return streamRecord(state, record)
  const params = asRecord(record.params) ?? {}
  const id = asString(record.id) ?? ''
  if (record.method === undefined) return response(state, record)
  switch (record.method) {
    case 'droid.session_notification':
      return sessionNotification(state, params)
    case 'droid.request_permission':
      return requestPermission(state, id, params)
    case 'droid.ask_user':
      return askUser(state, id, params)
    default:
      return [refuse(id, `Unknown method: ${textOf(record.method)}`), { unrecognized: textOf(record.method) }]
  }
}

function userTurn(state: DialogueState, text: string): Effect[] {
  if (state.busy) {
    state.queued.push(text)
    return NO_EFFECTS
  }
  state.busy = true
  return [userMessage(state, text)]
}

function steer(state: DialogueState, text: string): Effect[] {
  if (!state.busy || state.sessionId === '') return userTurn(state, text)
  // After the running tool call, rather than after all of them.
  return [userMessage(state, text, { queuePlacement: 'end_of_turn' })]
}

function interrupt(state: DialogueState): Effect[] {
  return state.busy ? [request(state, 'other', 'interrupt_session', {})] : NO_EFFECTS
}

function setModel(state: DialogueState, model: string): Effect[] {
  const settings = { modelId: modelId(state.options, model) }
  return [request(state, 'other', 'update_session_settings', settings), { model }]
}

function close(): Effect[] {
  return [{ closeStdin: true }]
}

const COMMANDS: CommandHandlers<DialogueState> = { userTurn, steer, interrupt, answer, setModel, close }

/** The CLI left before its turn was over: if its session had not begun, what it says on stderr is the cause. */
function exitEffects(state: DialogueState, exit: DialogueExit): Effect[] {
  if (state.completed || state.ended) return NO_EFFECTS
  const inTurn = state.turnOpen || state.busy
  if (state.sessionId !== '' && !state.isExec && (!inTurn || exit.exitCode !== 0)) return NO_EFFECTS
  // Asked to end, `exec` exits with 0 and without a word.
  if (wasStopped(exit) || (state.isExec && exit.exitCode === 0)) return failure('cancelled', 'droid was asked to end.')
  if (exit.exitCode === 0) return failure('protocol_drift', 'droid ended without a word about the turn.')
  const message = tellingLine(exit.stderr)
  if (message === '' || exit.signal !== null || state.isExec) return NO_EFFECTS
  const kind = decideFailure({ words: message })
  return failure(kind === 'unknown' ? 'invalid_request' : kind, message)
}

/** The CLI's own JSON-RPC has a version of its own in each message. */
function isAcp(record: JsonRecord): boolean {
  const isOwn = record.factoryApiVersion !== undefined || asString(record.method)?.startsWith('droid.')
  return record.jsonrpc !== undefined && isOwn !== true
}

function ownDialogue(options: RunOptions): Dialogue {
  const state = createState(options)
  return {
    start: () => start(state),
    onLine: (line, source) =>
      source === 'stderr' ? NO_EFFECTS : recordEffects(line, (record) => nativeRecord(state, record)),
    onCommand: (command) => handleCommand(COMMANDS, state, command),
    onExit: (exit: DialogueExit) => exitEffects(state, exit),
    busy: () => state.busy,
  }
}

/** Speaks `stream-jsonrpc` with Droid, and reads what `stream-json` prints. Its ACP is read where a recording holds it. */
export function createDialogue(options: RunOptions): Dialogue {
  const acp = acpDialogue('droid', { args: ['exec', '--output-format=acp'], guidance: GUIDANCE })(options)
  return eitherWire({ usesAcp: false, acp, stream: ownDialogue(options), isAcp })
}
