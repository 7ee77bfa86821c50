import { expect, test } from 'vitest'
import type { UsageRow } from '../contract/session-store.ts'
import { UsageWatch } from './usage-watch.ts'

const row = (key: string, inputTokens: number, at = Date.now()): UsageRow => ({
  ...{ key, at, inputTokens, outputTokens: 1, thinkingTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0 },
})

function watched(rows: () => UsageRow[]) {
  const taken: number[] = []
  const port = {
    sessionId: () => 's',
    onUsage: (_row: UsageRow, more: { inputTokens: number }) => void taken.push(more.inputTokens),
  }
  return { taken, watch: new UsageWatch({ rows: async () => rows(), turns: async () => null }, port) }
}

test('each request counts once, and one that grows by what has come to it', async () => {
  let rows = [row('a', 10)]
  const { taken, watch } = watched(() => rows)
  await watch.catchUp()
  rows = [row('a', 10), row('b', 20)]
  await watch.catchUp()
  rows = [row('a', 15), row('b', 20)]
  await watch.catchUp()
  expect(taken).toEqual([10, 20, 5])
})

test('what a resumed session had used before does not count', async () => {
  let rows = [row('a', 10)]
  const { taken, watch } = watched(() => rows)
  await watch.begin('s')
  watch.stop()
  rows = [row('a', 10), row('b', 20)]
  await watch.catchUp()
  expect(taken).toEqual([20])
})

test('what is written down after the agent has reported it is known already', async () => {
  const rows: UsageRow[] = []
  const { taken, watch } = watched(() => rows)
  const asked = Date.now() - 5
  watch.settle()
  rows.push(row('late', 10, asked), row('new', 20, Date.now() + 5))
  await watch.catchUp()
  expect(taken).toEqual([20])
})

test('a store that cannot be read fails nothing', async () => {
  const { taken, watch } = watched(() => {
    throw new Error('locked')
  })
  await watch.catchUp()
  expect(taken).toEqual([])
})
