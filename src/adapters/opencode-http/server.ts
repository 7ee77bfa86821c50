import type { Effect, HttpResponse } from '../../contract/dialogue.ts'
import { NO_EFFECTS, sessionOpened, warning } from '../../core/effects.ts'
import { failTurn } from '../../core/failures.ts'
import { asRecord, asString, type JsonRecord, textOf } from '../../core/json.ts'
import { errorFailure, readError } from '../families/opencode/errors.ts'
import { dialect } from './dialect.ts'
import { kindOf, request } from './http.ts'
import type { DialogueState } from './state.ts'
import { endTurn, startNext } from './turns.ts'

const LISTENING = /server listening on (http:\/\/\S+?)\/?$/

/** What the server prints. Only where it listens is of interest. */
export function serverLine(state: DialogueState, line: string): Effect[] {
  const base = LISTENING.exec(line)?.[1]
  if (base === undefined || state.base !== '' || !state.live) return NO_EFFECTS
  state.base = base
  return [request(state, 'health', 'GET', '/global/health')]
}

/** The stream of events is open: now the session can be. */
export function connected(state: DialogueState): Effect[] {
  if (!state.live || state.sessionOpen) return NO_EFFECTS
  const { sessionId, forkSessionId } = state.options
  if (forkSessionId !== undefined) return [request(state, 'session', 'POST', `/session/${forkSessionId}/fork`, {})]
  if (sessionId !== undefined) return [request(state, 'session', 'GET', `/session/${sessionId}`)]
  return [request(state, 'session', 'POST', '/session', {})]
}

export function openSession(state: DialogueState, sessionId: string): Effect[] {
  state.sessionId = sessionId
  state.sessionOpen = true
  return sessionOpened(state.options, sessionId)
}

/** There is nothing to go on with. */
function giveUp(effects: Effect[]): Effect[] {
  return effects.map((effect) => ('fail' in effect ? { fail: { ...effect.fail, endNow: true } } : effect))
}

function broken(state: DialogueState, message: string): Effect[] {
  return state.closing ? NO_EFFECTS : giveUp(failTurn('network', { message }))
}

function success(state: DialogueState, kind: string, body: JsonRecord): Effect[] {
  switch (kind) {
    case 'health':
      if (body.healthy === true) return [request(state, 'events', 'GET', '/event')]
      return giveUp(failTurn('protocol_drift', { message: 'The server does not say that it is healthy.' }))
    case 'session':
      return [...openSession(state, asString(body.id) ?? ''), ...startNext(state)]
    default:
      return NO_EFFECTS
  }
}

/** Of an id that cannot be one of its own, the server says no more than that something failed. */
function isMissing({ options }: DialogueState, status: number): boolean {
  const id = options.sessionId ?? options.forkSessionId
  return id !== undefined && (status === 404 || status === 400 || !id.startsWith('ses'))
}

function refusal(state: DialogueState, kind: string, status: number, body: unknown): Effect[] {
  const error = readError(asRecord(body) ?? `The server answered ${status}: ${textOf(body).slice(0, 200)}`)
  if (kind === 'prompt') return endTurn(state, errorFailure(dialect, error))
  if (kind === 'reply' || kind === 'abort') return [warning(error.message)]
  if (kind === 'session' && isMissing(state, status)) {
    return giveUp(failTurn('session_not_found', { message: error.message }))
  }
  return giveUp(errorFailure(dialect, error))
}

/** An answer of the server, other than an event of its stream. */
export function serverAnswer(state: DialogueState, requestId: string, response: HttpResponse): Effect[] {
  const kind = kindOf(requestId)
  if ('error' in response) {
    return kind === 'reply' || kind === 'abort' ? NO_EFFECTS : broken(state, response.error)
  }
  if ('sse' in response) return NO_EFFECTS
  const { status, body } = response
  return status < 300 ? success(state, kind, asRecord(body) ?? {}) : refusal(state, kind, status, body)
}
