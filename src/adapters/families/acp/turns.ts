import type { StopReason } from '@agentclientprotocol/sdk/unstable'
import type { Effect, HostResult } from '../../../contract/dialogue.ts'
import { NO_EFFECTS, warning } from '../../../core/effects.ts'
import { CUT_ANSWER, type FailureKind, failTurn } from '../../../core/failures.ts'
import { asString, type JsonRecord } from '../../../core/json.ts'
import { closeWhenIdle, isBusy, queueTurn } from '../../kit/turn-queue.ts'
import { turnFailure } from './errors.ts'
import { hostEffect } from './host-effect.ts'
import { modelStep, sendStep } from './options.ts'
import type { TurnEvidence } from './profile.ts'
import { promptBlocks } from './prompt.ts'
import { notify, reply, replyError, request } from './rpc.ts'
import { type AcpState, forgetTurn, type PromptAnswer } from './state.ts'
import { unreportedEnds } from './unreported-ends.ts'
import { costSoFar, recordedUsage, turnUsage } from './usage.ts'

/** A turn of its own, after the running one. */
export function userTurn(state: AcpState, text: string): Effect[] {
  return queueTurn(state, text, startNext)
}

/** Null: the agent offers no choice of model. */
export function setModel(state: AcpState, model: string): Effect[] | null {
  const step = modelStep(state, model)
  if (step === null) return null
  state.setup.push(step)
  return state.turnOpen || !state.sessionOpen ? NO_EFFECTS : startNext(state)
}

/**
 * The agent is asked to stop, and whatever it asks at the moment is answered: one agent waits forever otherwise. Before
 * the first prompt is out there is nothing to stop but that.
 */
export function interrupt(state: AcpState): Effect[] {
  if (!isBusy(state) || state.interrupted) return NO_EFFECTS
  state.interrupted = true
  if (!state.turnOpen || state.sessionId === undefined) return NO_EFFECTS
  return [...cancelPending(state), notify('session/cancel', { sessionId: state.sessionId })]
}

function cancelPending(state: AcpState): Effect[] {
  const effects: Effect[] = []
  for (const { kind, id } of state.pending.values()) {
    if (kind === 'permission')
      effects.push(reply<'session/request_permission'>(id, { outcome: { outcome: 'cancelled' } }))
    else if (kind === 'form') effects.push(reply<'elicitation/create'>(id, { action: 'cancel' }))
    else effects.push(replyError(id, -32800, 'The turn was cancelled.'))
  }
  state.pending.clear()
  return effects
}

/** The turns that were asked for go first. */
export function close(state: AcpState): Effect[] {
  return closeWhenIdle(state)
}

/** What has to be set, then what was sent and has not run yet, else the end if nothing more can come. */
export function startNext(state: AcpState): Effect[] {
  const { sessionId } = state
  const isReady = state.sessionOpen && !state.replaying && !state.connecting && !isSettingUp(state)
  if (!state.live || !isReady || sessionId === undefined) return NO_EFFECTS
  if (state.interrupted && state.queued.length > 0) return cancelBeforeStart(state)
  const step = state.setup.shift()
  if (step) return [sendStep(state, sessionId, step)]
  const text = state.queued.shift()
  if (text === undefined) return state.closing || state.options.nonInteractive ? [{ closeStdin: true }] : NO_EFFECTS
  const prompt = promptBlocks(state, text)
  state.isFirstTurn = false
  state.turnOpen = true
  state.settled = false
  state.prompt = text
  return [{ emit: { type: 'turn_start' } }, request(state, { kind: 'prompt' }, 'session/prompt', { sessionId, prompt })]
}

function isSettingUp({ sent }: AcpState): boolean {
  return [...sent.values()].some(({ kind }) => kind === 'setup')
}

function cancelBeforeStart(state: AcpState): Effect[] {
  state.queued.shift()
  return endTurn(state, failTurn('cancelled', { message: 'The turn was interrupted before it began.' }), true)
}

/** The first turn can use the tools of the MCP servers now. */
export function serversReady(state: AcpState): Effect[] {
  state.connecting = false
  return startNext(state)
}

/** The history of a loaded session has been sent: now the first turn may begin. */
export function replayOver(state: AcpState): Effect[] {
  // Before the answer to `session/load` the list of commands is one of its parts, not its end.
  if (state.live && !state.sessionOpen) return NO_EFFECTS
  state.replaying = false
  return startNext(state)
}

const FAILED_STOPS: Readonly<Record<Exclude<StopReason, 'end_turn'>, { kind: FailureKind; message: string }>> = {
  cancelled: { kind: 'cancelled', message: 'The turn was interrupted.' },
  refusal: { kind: 'refusal', message: 'The agent refused to answer.' },
  max_tokens: { kind: 'unknown', message: CUT_ANSWER },
  max_turn_requests: { kind: 'turn_limit', message: 'The agent reached its limit of model requests in one turn.' },
}

function isFailedStop(reason: string): reason is keyof typeof FAILED_STOPS {
  return Object.hasOwn(FAILED_STOPS, reason)
}

/** The agent has answered a prompt. Where it writes more down than it reports, that is read first. */
export function turnAnswered(state: AcpState, answer: PromptAnswer): Effect[] {
  const { turnRecord } = state.profile
  if (!state.live || !turnRecord || state.sessionId === undefined) return concluded(state, answer, null)
  state.answer = answer
  return [hostEffect(state, turnRecord.file(state.sessionId))]
}

const RECORD_TRIES = 10
const RECORD_WAIT_MS = 100

/** The agent's own record has been read; it may lag behind, so it is read again for a while. */
export function turnRecorded(state: AcpState, file: HostResult): Effect[] {
  const { profile, answer, sessionId } = state
  if (answer === undefined) return NO_EFFECTS
  const result = 'result' in answer ? answer.result : {}
  const evidence = file.type === 'text' ? (profile.turnRecord?.read(file.content, result) ?? null) : null
  const isLast = state.recordTries >= RECORD_TRIES
  if (evidence !== null && evidence.turn !== state.recordedTurn && (isLast || !hasGivenUp(state, evidence))) {
    state.recordedTurn = evidence.turn
    return concluded(state, answer, evidence)
  }
  // A turn that failed may have left nothing, and what cannot be read now cannot be read later.
  const mayCome = 'result' in answer && (file.type === 'text' || (file.type === 'error' && file.reason === 'not_found'))
  if (mayCome && profile.turnRecord && sessionId !== undefined && !isLast) {
    state.recordTries += 1
    return [hostEffect(state, { ...profile.turnRecord.file(sessionId), waitMs: RECORD_WAIT_MS })]
  }
  const gaveUp = 'result' in answer && state.isSpeaking && profile.turnRecord?.hasGivenUp?.(answer.result) === true
  if (gaveUp) return endTurn(state, turnFailure(state, GAVE_UP), false)
  const effects = concluded(state, answer, null)
  return 'error' in answer ? effects : [warning(`${state.agent} has left no record of this turn.`), ...effects]
}

function concluded(state: AcpState, answer: PromptAnswer, evidence: TurnEvidence | null): Effect[] {
  if ('result' in answer) return turnOver(state, answer.result, evidence)
  const usage = evidence ? recordedUsage(state, evidence) : NO_EFFECTS
  const failure = state.interrupted ? undefined : evidence?.error
  return failure ? endTurn(state, [...usage, ...failure], false) : [...usage, ...turnFailed(state, answer.error)]
}

const GAVE_UP = 'The response of the model broke off, and the agent gave up.'

/** The model was heard, and nothing of that was kept: its response broke off each time. */
function hasGivenUp({ isSpeaking }: AcpState, evidence: TurnEvidence | null): boolean {
  return isSpeaking && evidence?.isUnanswered === true
}

function keptAnswer(evidence: TurnEvidence | null): Effect[] {
  return evidence?.answer === undefined ? [] : [{ answer: evidence.answer }]
}

function turnOver(state: AcpState, result: JsonRecord, evidence: TurnEvidence | null): Effect[] {
  const reason = asString(result.stopReason) ?? 'end_turn'
  const usage = evidence ? recordedUsage(state, evidence) : turnUsage(state, result)
  const effects = [...keptAnswer(evidence), ...usage, ...(usage.length > 0 ? costSoFar(state) : [])]
  const failure =
    state.errorText ?? evidence?.failure ?? (hasGivenUp(state, evidence) ? GAVE_UP : silentFailure(state, result))
  if (reason === 'end_turn') effects.push(...unreportedEnds(state))
  if (failure !== undefined && reason === 'end_turn') {
    return endTurn(state, [...effects, ...turnFailure(state, failure)], false)
  }
  if (!isFailedStop(reason) || endedByRefusal(state, reason)) return endTurn(state, effects, true)
  const { kind, message } = FAILED_STOPS[reason]
  return endTurn(state, [...effects, ...failTurn(kind, { message })], kind === 'cancelled')
}

/** Why a turn has failed that only its missing counts give away. */
function silentFailure({ profile, prompt, lastWords }: AcpState, { usage }: JsonRecord): string | undefined {
  const isFailed = profile.failsWithoutUsage && (usage ?? null) === null && !prompt.startsWith('/')
  return isFailed ? lastWords || 'The turn failed.' : undefined
}

/** Some agents end the turn by themselves when a call is refused. */
function endedByRefusal({ interrupted, tools }: AcpState, reason: string): boolean {
  return reason === 'cancelled' && !interrupted && [...tools.values()].some((tool) => tool.isRefused)
}

export function turnFailed(state: AcpState, error: unknown): Effect[] {
  // Some agents call a turn that was cancelled a failure.
  if (state.interrupted) return endTurn(state, failTurn('cancelled', { message: 'The turn was interrupted.' }), true)
  return endTurn(state, turnFailure(state, error), false)
}

/** What comes of a turn, its end, and then the next one, or the end of the run where nothing more can come. */
export function endTurn(state: AcpState, effects: Effect[], goOn: boolean): Effect[] {
  forgetTurn(state)
  if (!goOn) state.queued.length = 0
  // A turn that failed before anything was said has not begun for the reader of a recording.
  return [{ emit: { type: 'turn_start' } }, ...effects, { emit: { type: 'turn_end' } }, ...startNext(state)]
}
