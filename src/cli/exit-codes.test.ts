import { expect, test } from 'vitest'
import { AgentMuxError, CapabilityError, ERROR_CODES } from '../contract/errors.ts'
import type { OutcomeKind } from '../contract/outcome.ts'
import { EXIT_CODES, exitCodeOfError, exitCodeOfOutcome, exitCodeOfRun } from './exit-codes.ts'

// The numbers are a promise to scripts, so they are written out once more.
const OUTCOMES: readonly [OutcomeKind, number][] = [
  ['completed', 0],
  ['failed', 1],
  ['auth_required', 5],
  ['timed_out', 11],
  ['crashed', 12],
  ['cancelled', 13],
  ['rate_limited', 14],
  ['context_exhausted', 15],
  ['permission_blocked', 16],
  ['question_unanswered', 17],
  ['quota_exhausted', 18],
  ['turn_limit', 19],
  ['budget_exceeded', 20],
  ['protocol_drift', 21],
]

test.each(OUTCOMES)('the outcome %s exits %i', (kind, code) => {
  expect(exitCodeOfOutcome(kind)).toBe(code)
})

test.each([
  ['VALIDATION_ERROR', 2],
  ['UNKNOWN_AGENT', 3],
  ['AGENT_NOT_INSTALLED', 4],
  ['AUTH_ERROR', 5],
  ['CONFIG_ERROR', 7],
  ['CONFIG_LOCK_ERROR', 7],
  ['SESSION_NOT_FOUND', 8],
  ['PROFILE_NOT_FOUND', 9],
  ['PLUGIN_ERROR', 10],
  ['TIMEOUT', 11],
  ['AGENT_CRASH', 12],
  ['ABORTED', 13],
  ['INTERNAL', 1],
] as const)('%s exits %i', (code, exit) => {
  expect(exitCodeOfError(new AgentMuxError(code, 'x'))).toBe(exit)
})

test('errors of any kind have an exit code', () => {
  for (const code of ERROR_CODES) expect(exitCodeOfError(new AgentMuxError(code, 'x'))).toBeGreaterThan(0)
  expect(exitCodeOfError(new CapabilityError('claude', 'x'))).toBe(6)
  expect(exitCodeOfError(new Error('x'))).toBe(1)
})

test('the codes are 0 to 23, each once', () => {
  expect(Object.values(EXIT_CODES).map(({ code }) => code)).toEqual(Array.from({ length: 24 }, (_, code) => code))
})

test.each([
  ['SESSION_NOT_FOUND', 8],
  ['VALIDATION_ERROR', 2],
  ['MODEL_ERROR', 1],
] as const)('a run that failed with %s exits with %i', (code, exit) => {
  const outcome = { kind: 'failed' as const, code, evidence: '' }
  const error = { code, message: 'x', stderr: '', recoverable: false }
  expect(exitCodeOfRun({ outcome, error })).toBe(exit)
})
