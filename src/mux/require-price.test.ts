import { expect, test } from 'vitest'
import { capabilities, model } from '../../test/support/adapters.ts'
import { collect, fakeClient } from '../../test/support/client.ts'

const usage = (name: string | undefined) => ({ type: 'token_usage', model: name, inputTokens: 1000, outputTokens: 0 })
const budget = { agent: 'fake', prompt: 'go', maxCostUsd: 1, gracePeriodMs: 100 }
const PRICE = { input: 500, output: 0 }

test('a budget on a model without a price is refused before the start, with a way on', () => {
  const mux = fakeClient('emit', [[]])
  expect(() => mux.run({ ...budget, model: 'nobody-knows' })).toThrow(
    expect.objectContaining({ code: 'PRICE_UNKNOWN', hint: expect.stringContaining('--price in=3,out=15') }),
  )
  expect(() => mux.check({ ...budget, model: 'nobody-knows' })).toThrow(/price/)
})

test.each([
  ['a price of its own', { model: 'nobody-knows', price: PRICE }, {}],
  ['a list price', { model: 'claude-opus-5-5' }, {}],
  ['no model, which the agent chooses then', {}, {}],
  ['no budget', { model: 'nobody-knows', maxCostUsd: undefined }, {}],
  ['an agent that reports its costs', { model: 'nobody-knows' }, { capabilities: { reportsCost: true } }],
  ['an alias', { model: 'short' }, { models: [model('fake', 'claude-opus-5-5', { modelAlias: 'short' })] }],
])('not with %s', async (_what, options, { capabilities: more, ...adapter }: Record<string, object>) => {
  const own = more ? { capabilities: capabilities('fake', more) } : {}
  const mux = fakeClient('emit', [[]], { adapter: { ...adapter, ...own } })
  expect((await mux.run({ ...budget, ...options })).error?.code).not.toBe('PRICE_UNKNOWN')
})

test('a model that the agent chooses and nobody knows the price of ends the run', async () => {
  const { outcome, tokenUsage, cost } = await fakeClient('emit', [[usage('nobody-knows'), usage('nobody-knows')]]).run(
    budget,
  )
  expect(outcome).toMatchObject({ kind: 'failed', code: 'PRICE_UNKNOWN' })
  expect(outcome.evidence).toContain('"nobody-knows"')
  expect(outcome.evidence).toContain('--price')
  expect([tokenUsage?.inputTokens, cost]).toEqual([2000, null])
})

test('of an agent that reports its costs only when no report comes', async () => {
  const adapter = { capabilities: capabilities('fake', { reportsCost: true }) }
  const cost = { type: 'cost', cost: { totalUsd: 0.1, inputTokens: 0, outputTokens: 0 } }
  const reported = [usage('x'), cost, usage('x'), cost]
  expect((await fakeClient('emit', [reported], { adapter }).run(budget)).outcome.kind).toBe('completed')
  const silent = [usage('x'), usage('x')]
  const { outcome } = await fakeClient('emit', [silent], { adapter }).run(budget)
  expect(outcome).toMatchObject({ kind: 'failed', code: 'PRICE_UNKNOWN' })
})

test('a price of its own is what the run costs, and what a budget is held by', async () => {
  const { events, result } = await collect(
    fakeClient('emit', [[usage('x'), usage('x'), usage('x'), usage('x')]]).run({ ...budget, price: PRICE }),
  )
  expect(result.outcome).toMatchObject({ kind: 'budget_exceeded' })
  expect(result.cost).toMatchObject({ totalUsd: 2, source: 'price-table' })
  const costs = events.flatMap((event) => (event.type === 'cost' ? [event.cost.totalUsd] : []))
  expect(costs.slice(0, 3)).toEqual([0.5, 1, 1.5])
})
