import { expect, test } from 'vitest'
import { RunTotals } from '../../engine/run-totals.ts'
import { createDialogue } from './dialogue.ts'

const TOKENS = { inputTokens: 10, outputTokens: 2, cachedInputTokens: 0, reasoningOutputTokens: 0, totalTokens: 12 }
const record = (value: unknown) => JSON.stringify(value)

test.each([
  ['priority', 'priority'],
  [null, undefined],
])('the tier of the thread is in its usage: %s', (serviceTier, expected) => {
  const dialogue = createDialogue({ prompt: 'go' })
  dialogue.start({ prompt: 'go' })
  const effects = [
    { id: 1, result: {} },
    { id: 2, result: { thread: { id: 't' }, model: 'gpt-6-sol', serviceTier } },
    { method: 'turn/started', params: { threadId: 't', turn: { id: 'u' } } },
    {
      method: 'thread/tokenUsage/updated',
      params: { threadId: 't', turnId: 'u', tokenUsage: { total: TOKENS, last: TOKENS } },
    },
  ].flatMap((line) => dialogue.onLine(record(line), 'stdout'))
  const usage = effects.flatMap((effect) => ('emit' in effect && effect.emit.type === 'token_usage' ? effect.emit : []))
  expect(usage.map((event) => event.serviceTier)).toEqual([expected])
  const totals = new RunTotals()
  for (const event of usage) totals.note({ ...event, runId: 'r', agent: 'codex', timestamp: 0 })
  expect(totals.serviceTier).toBe(expected)
})
