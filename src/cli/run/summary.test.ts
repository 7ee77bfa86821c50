import { expect, test } from 'vitest'
import type { Outcome } from '../../contract/outcome.ts'
import type { RunResult } from '../../contract/run-handle.ts'
import { summaryLines } from './summary.ts'

function stepAfter(outcome: Outcome): string | undefined {
  const result: RunResult = {
    ...{ runId: 'r', agent: 'codex', model: null, sessionId: 's', text: '', cost: null, durationMs: 1, exitCode: 1 },
    ...{ signal: null, exitReason: 'crashed', outcome, tokenUsage: null, usageByModel: {}, turnCount: 0, error: null },
    ...{ events: [], tags: [], unrecognized: {} },
  }
  return summaryLines(result, (_style, text) => text)[1]
}

test('a session that another process has open points to the command that speaks to it', () => {
  const evidence = 'thread 01a1ef0d-f265-7c92-80dd-bdd23f89bc48 already has an active writer'
  expect(stepAfter({ kind: 'failed', code: 'INTERNAL', evidence })).toContain('amux send NAME')
})

test('another failure has no such advice', () => {
  expect(stepAfter({ kind: 'failed', code: 'INTERNAL', evidence: 'The server is down' })).toBeUndefined()
})
