import { expect, test } from 'vitest'
import type { AgentEvent } from '../../../contract/events.ts'
import { RunTotals } from '../../../engine/run-totals.ts'
import { createDialogue } from '../../claude/dialogue.ts'
import { fixture, linesOf } from '../../claude/fixtures/replay.ts'

// What the result reports is for replies that have been estimated by then: both together would break a budget that holds.
test('no request counts beside the cost that is reported for it', () => {
  const dialogue = createDialogue({ prompt: '', nonInteractive: true })
  const totals = new RunTotals()
  let isReported = false
  for (const line of linesOf(fixture('2.1.325/c-tool-partial/stdout.jsonl'))) {
    for (const effect of dialogue.onLine(line, 'stdout')) {
      if (!('emit' in effect)) continue
      const event = { ...effect.emit, runId: 'r', agent: 'claude', timestamp: 0 } as AgentEvent
      if (event.type === 'token_usage' && event.costUsd !== undefined) {
        isReported = true
        expect(totals.cost?.totalUsd).toBeGreaterThan(0)
      }
      totals.note(event)
      if (isReported) expect(totals.requests.uncounted).toBe(0)
    }
  }
  expect(isReported).toBe(true)
})
