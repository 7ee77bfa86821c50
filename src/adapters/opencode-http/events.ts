import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { asNumber, asRecord, asString, type JsonRecord } from '../../core/json.ts'
import { plainModel } from '../families/opencode/config.ts'
import { readError } from '../families/opencode/errors.ts'
import { partDelta, partUpdated } from './parts.ts'
import { permissionAsked, permissionReplied, questionAsked } from './requests.ts'
import { connected, openSession } from './server.ts'
import { callOf, type DialogueState } from './state.ts'
import { turnOver } from './turns.ts'

/** Events that are known and of no interest. Whole families of them are about the server itself. */
const SILENT =
  /^(server|global|models-dev|plugin|catalog|reference|integration|installation|lsp|mcp|file|vcs|todo|tui|pty|project|worktree|workspace|command|account|storage|ide|permission\.(updated|v2)|question\.(replied|rejected|v2)|session\.(created|updated|deleted|diff|next|status)|message\.(removed|part\.removed))\b/

/** An event of the server, in whichever envelope a recording has put it. */
export function serverEvent(state: DialogueState, record: JsonRecord): Effect[] {
  const event = asRecord(record.raw) ?? asRecord(record.payload) ?? record
  const properties = asRecord(event.properties) ?? {}
  const sessionId = asString(properties.sessionID) ?? ''
  const effects: Effect[] = []
  if (!state.live && state.sessionId === '' && sessionId !== '') effects.push(...openSession(state, sessionId))
  effects.push(...namedEvent(state, asString(event.type) ?? '', properties, sessionId))
  return effects
}

function namedEvent(state: DialogueState, type: string, properties: JsonRecord, sessionId: string): Effect[] {
  if (type === 'message.part.delta') return partDelta(state, properties)
  if (type === 'server.connected') return connected(state)
  if (type === 'permission.asked') return permissionAsked(state, properties)
  if (type === 'permission.replied') return permissionReplied(state, properties)
  if (type === 'question.asked') return questionAsked(state, properties)
  const parent = callOf(state, sessionId)
  if (type === 'message.part.updated') {
    // Before the turn runs, they are copies: of what a forked session has said before, and of the prompt.
    return parent === null || !state.isBusy ? NO_EFFECTS : partUpdated(state, asRecord(properties.part) ?? {}, parent)
  }
  if (parent === undefined && sessionId !== '') {
    if (type === 'message.updated') return messageUpdated(state, asRecord(properties.info) ?? {})
    if (type === 'session.status') return sessionStatus(state, asRecord(properties.status) ?? {})
    if (type === 'session.idle') return sessionIdle(state)
    if (type === 'session.error') return sessionError(state, properties)
    if (type === 'session.compacted') return [{ emit: { type: 'context_compacted', summary: '', tokensSaved: 0 } }]
  }
  const isKnown = SILENT.test(type) || /^(message\.updated|session\.(idle|error|compacted))$/.test(type)
  return isKnown ? NO_EFFECTS : [{ unrecognized: type || 'record' }]
}

function messageUpdated(state: DialogueState, info: JsonRecord): Effect[] {
  const id = asString(info.id) ?? ''
  if (info.role !== 'assistant' || info.summary === true) {
    const isNew = !state.hidden.has(id)
    state.hidden.add(id)
    return isNew && info.role === 'user' ? recordedTurn(state) : NO_EFFECTS
  }
  if (info.structured !== undefined) state.structured = info.structured
  const [provider, model] = [asString(info.providerID), asString(info.modelID)]
  if (provider === undefined || model === undefined) return NO_EFFECTS
  const name = plainModel(`${provider}/${model}`)
  if (name === state.model && state.live) return NO_EFFECTS
  state.model = name
  return [{ model: name }]
}

/** In a recording, the words of the user begin a turn. */
function recordedTurn(state: DialogueState): Effect[] {
  if (state.live || state.turnOpen) return NO_EFFECTS
  state.turnOpen = true
  state.settled = false
  return [{ emit: { type: 'turn_start' } }]
}

function sessionStatus(state: DialogueState, status: JsonRecord): Effect[] {
  if (status.type === 'busy') state.isBusy = true
  if (status.type !== 'retry') return NO_EFFECTS
  const reason = asString(status.message) ?? ''
  const attempt = asNumber(status.attempt) ?? 1
  const effects: Effect[] = [{ emit: { type: 'retry', attempt, maxAttempts: 5, reason, delayMs: 0 } }]
  if (/\b429\b|rate.?limit|too many requests/i.test(reason)) effects.unshift({ emit: { type: 'rate_limited' } })
  return effects
}

/** Reported twice after an error, so it counts only for a turn that has begun. */
function sessionIdle(state: DialogueState): Effect[] {
  return state.turnOpen && state.isBusy ? turnOver(state) : NO_EFFECTS
}

function sessionError(state: DialogueState, { error }: JsonRecord): Effect[] {
  if (!state.turnOpen) return NO_EFFECTS
  const known = readError(error)
  // A failed compaction repeats the error that it was to fix; an abort may come on top of anything.
  if (state.error === undefined || known.name === 'MessageAbortedError') state.error = known
  // What fails before the model is asked leaves the session as idle as it was.
  return state.isBusy ? NO_EFFECTS : turnOver(state)
}
