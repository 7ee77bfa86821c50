import type {
  Dialogue,
  DialogueCommand,
  DialogueExit,
  DialogueFactory,
  Effect,
  HostResult,
} from '../../../contract/dialogue.ts'
import type { StreamSource } from '../../../contract/events.ts'
import type { AgentName } from '../../../contract/names.ts'
import type { RunOptions } from '../../../contract/run-options.ts'
import { NO_EFFECTS, recordEffects, warning } from '../../../core/effects.ts'
import { exitFailure, wasStopped } from '../../../core/exit.ts'
import { failTurn } from '../../../core/failures.ts'
import { asRecord, type JsonRecord, parseRecord } from '../../../core/json.ts'
import { type CommandHandlers, handleCommand } from '../../kit/commands.ts'
import { SYSTEM_BLOCK_WARNING } from '../../kit/prompt.ts'
import { isBusy } from '../../kit/turn-queue.ts'
import { errorAnswer, recordedRequest, resultAnswer } from './answers.ts'
import { chunkLine } from './chunk-line.ts'
import { hostAnswered } from './host-requests.ts'
import { recordedDecision } from './permissions.ts'
import type { AcpProfile } from './profile.ts'
import { promptText, systemPromptField } from './prompt.ts'
import { agentRequest, answer } from './requests.ts'
import { retryNotice } from './retries.ts'
import { isRequestId } from './rpc.ts'
import { initialize } from './session.ts'
import { type AcpState, createState } from './state.ts'
import { close, interrupt, serversReady, setModel, userTurn } from './turns.ts'
import { logLine } from './unreported-ends.ts'
import { sessionUpdate } from './updates.ts'
import { requestUsage } from './usage.ts'

/** The handshake; its answer opens the session, and the answer to that begins the first turn. */
function start(state: AcpState): Effect[] {
  const { options } = state
  state.live = true
  state.queued.push(promptText(state))
  const effects: Effect[] = []
  if (options.systemPrompt && systemPromptField(state) === undefined) effects.push(warning(SYSTEM_BLOCK_WARNING))
  return [...effects, initialize(state)]
}

/** A message of the agent: a request, a notice, or an answer to a request of ours. */
function agentRecord(state: AcpState, record: JsonRecord): Effect[] {
  const { id, method } = record
  const params = asRecord(record.params) ?? {}
  if (method === 'session/update') return sessionUpdate(state, params)
  if (typeof method === 'string')
    return isRequestId(id) ? agentRequest(state, id, method, params) : notice(state, method, params)
  if (!isRequestId(id)) return [{ unrecognized: 'record' }]
  return record.error === undefined ? resultAnswer(state, id, record.result) : errorAnswer(state, id, record.error)
}

/** Notices of a vendor's own begin with `_`; those of the protocol itself with `$`. */
function notice(state: AcpState, method: string, params: JsonRecord): Effect[] {
  const { profile } = state
  if (method === profile.requestUsage?.method) return requestUsage(state, params, profile.requestUsage.update)
  if (method === profile.retryNotice) return retryNotice(state, params)
  if (state.connecting && method === profile.mcpReady) return serversReady(state)
  const isExpected = /^[_$]/.test(method) || method === 'elicitation/complete' || profile.ignored?.includes(method)
  return isExpected ? NO_EFFECTS : [{ unrecognized: method }]
}

/** A message of the client, in a recording of both directions: only what it asked, and what it allowed. */
function clientRecord(state: AcpState, record: JsonRecord): Effect[] {
  const { id, method, result } = record
  state.bothSides = true
  if (!isRequestId(id)) return NO_EFFECTS
  if (typeof method !== 'string') return recordedDecision(state, id, asRecord(result) ?? {})
  recordedRequest(state, id, method, asRecord(record.params) ?? {})
  return NO_EFFECTS
}

// The protocol has no way to say something into a running turn.
const COMMANDS: CommandHandlers<AcpState> = { userTurn, interrupt, answer, setModel, close }

/** The verdict on a process that ended in the middle of a turn. Nothing: the engine calls it a crash. */
function exitEffects(state: AcpState, exit: DialogueExit): Effect[] {
  if (state.settled && !state.turnOpen) return NO_EFFECTS
  const reported = exitFailure(exit, state.profile.exitWords ?? [], state.profile.guidance)
  if (reported.length > 0) return reported
  if (wasStopped(exit)) {
    const how = exit.signal ?? `exit code ${exit.exitCode}`
    return failTurn('cancelled', { message: `${state.agent} was ended by ${how}` })
  }
  if (exit.exitCode !== 0) return NO_EFFECTS
  return failTurn('protocol_drift', { message: `${state.agent} ended without telling how the turn ended` })
}

/** Speaks the Agent Client Protocol as a client: JSON-RPC lines in, effects out. */
export function acpDialogue(agent: AgentName, profile: AcpProfile): DialogueFactory {
  return (options: RunOptions): Dialogue => {
    const state = createState(agent, profile, options)
    return {
      start: () => start(state),
      onLine(line: string, source: StreamSource): Effect[] {
        if (source === 'stderr') return logLine(state, line)
        const chunk = chunkLine(line)
        if (chunk !== null) return sessionUpdate(state, chunk)
        return recordEffects(line, (record) => agentRecord(state, record))
      },
      onWritten: (line: string) => clientRecord(state, parseRecord(line) ?? {}),
      onCommand: (command: DialogueCommand) => handleCommand(COMMANDS, state, command),
      onHost: (requestId: string, result: HostResult) => hostAnswered(state, requestId, result),
      onExit: (exit: DialogueExit) => exitEffects(state, exit),
      busy: () => isBusy(state),
    }
  }
}

/** Distinguishes the protocol's lines from those of an agent's own stream. */
export function isAcpRecord(record: JsonRecord): boolean {
  return record.jsonrpc === '2.0'
}
