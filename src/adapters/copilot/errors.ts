import type { DialogueExit, Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import type { ExitWords } from '../../core/exit.ts'
import { decideFailure, signsIn } from '../../core/failure-codes.ts'
import { type FailureKind, failTurn } from '../../core/failures.ts'
import { asString, type JsonRecord } from '../../core/json.ts'
import { endWithoutResult } from '../kit/one-way.ts'
import type { DialogueState } from './state.ts'

export const GUIDANCE =
  'Run `copilot login`, or set COPILOT_GITHUB_TOKEN, GH_TOKEN or GITHUB_TOKEN; with a provider of your own, its key.'

function kindOf(message: string, data: JsonRecord): FailureKind {
  const { codes = [], status } = signsIn(data)
  const kind = decideFailure({ codes, status, words: message })
  return (kind === 'invalid_request' || kind === 'unknown') && /content.?filter|refus/i.test(message) ? 'refusal' : kind
}

export function turnFailure(data: JsonRecord): Effect[] {
  const message = asString(data.message) ?? 'The turn failed.'
  const kind = kindOf(message, data)
  return failTurn(kind, { message, guidance: kind === 'auth' ? GUIDANCE : undefined })
}

export const MAX_RETRIES = 5

/** Another try: why, is in the record of the call that failed before. */
export function retryEffects({ failedCall }: DialogueState, data: JsonRecord): Effect[] {
  const reason = failedCall?.reason || asString(data.reason) || ''
  const attempt = (failedCall?.attempt ?? 0) + 1
  const retry: Effect = { emit: { type: 'retry', attempt, maxAttempts: MAX_RETRIES, reason, delayMs: 0 } }
  return failedCall?.status === 429 ? [{ emit: { type: 'rate_limited' } }, retry] : [retry]
}

/** What the CLI says on stderr before it leaves without a result, in both of its forms. */
export const REFUSALS: readonly ExitWords[] = [
  { pattern: /[^\n]*No session, task, or name matched[^\n]*/, kind: 'session_not_found' },
  { pattern: /[^\n]*No authentication information found[^\n]*/, kind: 'auth' },
  { pattern: /[^\n]*BYOK providers require an explicit model[^\n]*/, kind: 'invalid_request' },
  { pattern: /^error: [^\n]*/im, kind: 'refused' },
]

/** The verdict on a process that ended without a result. Nothing: the engine calls it a crash. */
export function exitEffects(state: DialogueState, exit: DialogueExit): Effect[] {
  if (state.settled) return NO_EFFECTS
  return endWithoutResult({ displayName: 'Copilot', guidance: GUIDANCE, exitWords: REFUSALS }, exit)
}
