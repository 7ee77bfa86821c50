import type { AgentRequestMethod, InitializeResponse } from '@agentclientprotocol/sdk/unstable'
import type { Effect } from '../../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../../core/effects.ts'
import { failTurn } from '../../../core/failures.ts'
import { asNumber, asRecord, asRecords, asString, type JsonRecord } from '../../../core/json.ts'
import { errorMessage, isMissingSession, notOffered, sessionFailure, turnFailure } from './errors.ts'
import { planSetup, replacedModel, stepDone } from './options.ts'
import { AUTH_REQUIRED, INVALID_PARAMS, METHOD_NOT_FOUND, type Native, request } from './rpc.ts'
import { lacks, openSession, sessionOpened } from './session.ts'
import type { AcpState, Opening, RequestId, SentRequest } from './state.ts'
import { endTurn, startNext, turnAnswered, turnFailed } from './turns.ts'

function takeSent(state: AcpState, id: RequestId): SentRequest | undefined {
  const sent = state.sent.get(id)
  state.sent.delete(id)
  return sent
}

/** Which request an answer belongs to, in a recording of the agent alone: its form shows it. */
function guess(state: AcpState, result: JsonRecord): SentRequest {
  if ('protocolVersion' in result) return { kind: 'initialize' }
  if ('stopReason' in result) return { kind: 'prompt' }
  if (typeof result.sessionId === 'string') return { kind: 'session', opening: 'new' }
  if (('modes' in result || 'models' in result || 'configOptions' in result) && !state.sessionOpen) {
    return { kind: 'session', opening: 'load' }
  }
  return { kind: 'other' }
}

export function resultAnswer(state: AcpState, id: RequestId, value: unknown): Effect[] {
  const result = asRecord(value) ?? {}
  const isKnown = state.live || state.bothSides
  const sent = takeSent(state, id) ?? (isKnown ? { kind: 'other' as const } : guess(state, result))
  switch (sent.kind) {
    case 'initialize':
      return initialized(state, result)
    case 'authenticate':
      return open(state)
    case 'session':
      if (isNothing(state, result, sent.opening)) return sessionRefused(state, NO_SUCH_SESSION, sent.opening)
      return [...sessionOpened(state, result, sent.opening, sent.sessionId), ...opened(state, sent.opening)]
    case 'setup':
      return [...stepDone(state, result, sent.model), ...startNext(state)]
    case 'prompt':
      return turnAnswered(state, { result })
    default:
      // The history of a session ends with the answer to the request for it.
      if (!isKnown) state.replaying = false
      return NO_EFFECTS
  }
}

const NO_SUCH_SESSION = { message: 'The session was not found, or the agent has no provider for its model.' }

/** One agent answers a request for a session that is not there with nothing, and a fork of it with no name. */
function isNothing({ live, profile }: AcpState, result: JsonRecord, opening: Opening): boolean {
  if (!live || !profile.resumesByLoad) return false
  return opening === 'load' ? Object.keys(result).length === 0 : opening === 'fork' && result.sessionId === ''
}

function initialized(state: AcpState, result: Native<InitializeResponse>): Effect[] {
  state.capabilities = asRecord(result.agentCapabilities) ?? {}
  state.authMethods = asRecords(result.authMethods)
  return open(state)
}

function open(state: AcpState): Effect[] {
  if (!state.live) return NO_EFFECTS
  const lack = lacks(state)
  return lack === null ? [openSession(state)] : giveUp(state, notOffered(state, lack))
}

/** The session is there: set what the options ask for, then begin. */
function opened(state: AcpState, opening: Opening): Effect[] {
  if (opening === 'load') state.replaying = state.live && state.profile.replayEndsWith !== undefined
  if (!state.live) return NO_EFFECTS
  const { steps, missing } = planSetup(state)
  if (missing.length > 0) return giveUp(state, missing)
  state.setup.push(...steps)
  return [...replacedModel(state), ...startNext(state)]
}

/** There is nothing to go on with. */
function giveUp(state: AcpState, effects: Effect[]): Effect[] {
  state.settled = true
  state.queued.length = 0
  return state.live ? [...effects, { closeStdin: true }] : effects
}

export function errorAnswer(state: AcpState, id: RequestId, error: unknown): Effect[] {
  const sent = takeSent(state, id)
  switch (sent?.kind) {
    case 'initialize':
    case 'authenticate':
      return giveUp(state, turnFailure(state, error))
    case 'session':
      return sessionRefused(state, error, sent.opening)
    case 'setup':
      return setupRefused(state, error, sent.what)
    case 'prompt':
      return turnAnswered(state, { error })
    default:
      return state.live || state.bothSides ? NO_EFFECTS : unknownError(state, error)
  }
}

function sessionRefused(state: AcpState, error: unknown, opening: Opening): Effect[] {
  const methodId = offeredMethod(state)
  // One agent says that it can resume, and cannot.
  if (state.live && opening === 'resume' && isMethodMissing(error) && state.capabilities.loadSession === true) {
    state.capabilities = { ...state.capabilities, sessionCapabilities: {} }
    return open(state)
  }
  if (state.live && asNumber(asRecord(error)?.code) === AUTH_REQUIRED && methodId !== undefined && !state.triedAuth) {
    state.triedAuth = true
    return [request(state, { kind: 'authenticate' }, 'authenticate', { methodId })]
  }
  const failure = sessionFailure(state, error, opening)
  // A recording may go on with another session.
  return state.live || !state.sessionOpen ? giveUp(state, failure) : NO_EFFECTS
}

function isMethodMissing(error: unknown): boolean {
  return asNumber(asRecord(error)?.code) === METHOD_NOT_FOUND
}

/** A way to authenticate that the agent offers and that needs no person. */
function offeredMethod({ profile, authMethods }: AcpState): string | undefined {
  return profile.authMethods?.find((methodId) => authMethods.some(({ id }) => id === methodId))
}

function setupRefused(state: AcpState, error: unknown, what: string): Effect[] {
  if (!state.live) return NO_EFFECTS
  const message = `The ${what} could not be set: ${errorMessage(error)}`
  const failure = what === 'model' ? failTurn('model_not_found', { message }) : turnFailure(state, message)
  state.setup.length = 0
  return state.isFirstTurn ? giveUp(state, failure) : endTurn(state, failure, false)
}

/** In a recording of the agent alone it is not known what has failed; a method that is missing is not a turn. */
function unknownError(state: AcpState, error: unknown): Effect[] {
  if (isMethodMissing(error)) return NO_EFFECTS
  if (!state.sessionOpen) {
    return giveUp(state, isMissingSession(error) ? sessionFailure(state, error, 'load') : turnFailure(state, error))
  }
  // Nor is a request that was put wrongly.
  const isOurFault = asNumber(asRecord(error)?.code) === INVALID_PARAMS
  return isOurFault || isMissingSession(error) ? NO_EFFECTS : turnFailed(state, error)
}

const OPENINGS: Readonly<Record<string, Opening>> = {
  'session/new': 'new',
  'session/load': 'load',
  'session/resume': 'resume',
  'session/fork': 'fork',
} satisfies Partial<Record<AgentRequestMethod, Opening>>

/** A request of the client, in a recording of both directions. */
export function recordedRequest(state: AcpState, id: RequestId, method: string, params: JsonRecord): void {
  const opening = OPENINGS[method]
  if (opening) state.sent.set(id, { kind: 'session', opening, sessionId: asString(params.sessionId) })
  else if (method === 'initialize' || method === 'authenticate') state.sent.set(id, { kind: method })
  else if (method === 'session/prompt') {
    state.sent.set(id, { kind: 'prompt' })
    state.turnOpen = true
    state.isFirstTurn = false
    state.settled = false
  }
}
