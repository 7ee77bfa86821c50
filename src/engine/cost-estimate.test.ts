import { expect, test } from 'vitest'
import { fakeClient } from '../../test/support/client.ts'

const usage = (model: string | undefined, inputTokens: number, outputTokens: number) => ({
  type: 'token_usage',
  ...{ model, inputTokens, outputTokens },
})
const run = (records: object[], options: object = {}) =>
  fakeClient('emit', [records])
    .run({ agent: 'fake', prompt: 'go', ...options })
    .result()

test('what the agent does not report is estimated, each request by its own model and size', async () => {
  const { cost, usageByModel } = await run([
    usage('claude-haiku-5-5', 60_000, 0),
    usage('claude-haiku-5-5', 60_000, 0),
    usage('claude-opus-5-5', 1000, 1000),
  ])
  // Two prompts of 60k are not one of 120k, which would cost five times as much.
  expect(cost).toMatchObject({ totalUsd: 0.036, source: 'price-table', inputTokens: 121_000 })
  expect(usageByModel['claude-haiku-5-5']?.costUsd).toBe(0.012)
  expect(usageByModel['claude-opus-5-5']?.costUsd).toBe(0.024)
})

test('usage that names no model is of the model of the run', async () => {
  const { cost } = await run([usage(undefined, 1_000_000, 0)], { model: 'claude-opus-5-5' })
  expect(cost?.totalUsd).toBe(4)
})

test('one request without a price leaves the cost unknown, never too low', async () => {
  const { cost, usageByModel } = await run([usage('claude-opus-5-5', 1000, 0), usage('nobody-knows', 1000, 0)])
  expect(cost).toBeNull()
  expect(usageByModel['claude-opus-5-5']?.costUsd).toBe(0.004)
  expect(usageByModel['nobody-knows']?.costUsd).toBeNull()
})

test('a budget holds on estimates, too', async () => {
  const { outcome } = await run([usage('claude-opus-5-5', 1_000_000, 0)], { maxCostUsd: 1 })
  expect(outcome.kind).toBe('budget_exceeded')
})

test('what the agent reports, and what it has not counted there yet', async () => {
  const cost = { type: 'cost', cost: { totalUsd: 1, inputTokens: 1, outputTokens: 1, source: 'agent' } }
  const more = usage('claude-opus-5-5', 1_000_000, 0)
  const turns = [{ type: 'turn_start' }, more, cost, { type: 'turn_end' }, { type: 'turn_start' }, more]
  // The agent said that the first one costs $1; the second one costs $4 by the list.
  expect((await run(turns)).cost).toMatchObject({ totalUsd: 5, source: 'price-table', inputTokens: 2_000_000 })
  // A report inside a turn may come before the tokens that it is for.
  expect((await run([{ type: 'turn_start' }, cost, more])).cost).toMatchObject({ totalUsd: 1, source: 'agent' })
})
