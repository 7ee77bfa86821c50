import { expect, test } from 'vitest'
import type { UsageRow } from '../contract/session-store.ts'
import { TerminalBudget } from './terminal-budget.ts'

const row = (key: string, outputTokens: number, costUsd?: number): UsageRow => ({
  ...{ key, at: Date.now(), inputTokens: 0, outputTokens, thinkingTokens: 0, cacheReadTokens: 0 },
  ...{ cacheCreationTokens: 0, costUsd },
})

function budgetOf(rows: UsageRow[], limitUsd: number) {
  const over: number[] = []
  const source = { rows: async () => rows, turns: async () => null }
  const spending = { source, priceOf: ({ outputTokens }: UsageRow) => outputTokens }
  return { over, budget: new TerminalBudget(spending, limitUsd, undefined, () => over.push(rows.length)) }
}

test('a terminal is over its budget with the first request that costs more than is left, and once', async () => {
  const rows: UsageRow[] = []
  const { over, budget } = budgetOf(rows, 10)
  for (const key of ['a', 'b', 'c', 'd']) {
    rows.push(row(key, 4))
    await budget.lastLook()
  }
  expect(over).toEqual([3])
  expect(budget.excess).toBe('$16.0000 spent of a budget of $10')
})

test('what the agent says a request costs counts in place of its price, and a request that grows counts once', async () => {
  const rows = [row('a', 100, 1)]
  const { budget } = budgetOf(rows, 5)
  await budget.lastLook()
  rows[0] = row('a', 200, 3)
  await budget.lastLook()
  expect(budget.excess).toBeNull()
  rows.push(row('b', 3))
  await budget.lastLook()
  expect(budget.excess).toBe('$6.0000 spent of a budget of $5')
})

test('what a resumed session had used before does not count', async () => {
  const rows = [row('a', 100)]
  const { over, budget } = budgetOf(rows, 10)
  await budget.begin('s')
  budget.stop()
  rows.push(row('b', 4))
  await budget.lastLook()
  expect(over).toEqual([])
})
