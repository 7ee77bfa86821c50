import { expect, test } from 'vitest'
import { createState } from './state.ts'
import { readCounts, usageUpdate } from './usage.ts'

const counts = (native: object) => {
  const { inputTokens, outputTokens, thinkingTokens, cacheReadTokens, cacheCreationTokens } = readCounts(native) ?? {}
  return [inputTokens, outputTokens, thinkingTokens, cacheReadTokens, cacheCreationTokens]
}

test('whether cached tokens and thoughts are left out shows in the total', () => {
  const gross = { inputTokens: 100, outputTokens: 20, cachedReadTokens: 60, thoughtTokens: 5, totalTokens: 120 }
  expect(counts(gross)).toEqual([100, 20, 5, 60, 0])
  const net = { inputTokens: 40, outputTokens: 20, cachedReadTokens: 60, totalTokens: 120 }
  expect(counts(net)).toEqual([100, 20, 0, 60, 0])
  const both = { inputTokens: 40, outputTokens: 15, cachedReadTokens: 60, thoughtTokens: 5, totalTokens: 120 }
  expect(counts(both)).toEqual([100, 20, 5, 60, 0])
  const thoughts = { inputTokens: 100, outputTokens: 15, thoughtTokens: 5, totalTokens: 120 }
  expect(counts(thoughts)).toEqual([100, 20, 5, 0, 0])
})

test('other spellings; without a total, those of Anthropic leave the cache out', () => {
  expect(counts({ input_tokens: 40, output_tokens: 20, cache_read_input_tokens: 60 })).toEqual([100, 20, 0, 60, 0])
  expect(counts({ input_tokens: 40, output_tokens: 20 })).toEqual([40, 20, 0, 0, 0])
})

test.each([null, undefined, 1, 'x', [], {}, { inputTokens: 'x' }])('no counts: %j', (native) => {
  expect(readCounts(native)).toBeNull()
})

test('a cost of 0 is that of a model without a price', () => {
  const state = createState('opencode', { args: ['acp'] }, { agent: 'opencode', prompt: 'hi' })
  const reported = (amount: number) => usageUpdate(state, { used: 1, size: 2, cost: { amount, currency: 'USD' } }, true)
  expect(reported(0)).toEqual([])
  expect(reported(0.25)).toMatchObject([{ emit: { type: 'cost', cost: { totalUsd: 0.25, source: 'agent' } } }])
})
