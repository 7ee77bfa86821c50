import { expect, test } from 'vitest'
import type { TokenUsageEvent } from '../contract/events.ts'
import { RequestLedger } from './request-ledger.ts'

const request = (model?: string, more: Partial<TokenUsageEvent> = {}): TokenUsageEvent => ({
  ...{ type: 'token_usage', runId: 'r', agent: 'claude', timestamp: 0, inputTokens: 1, outputTokens: 0 },
  ...{ model, ...more },
})

test.each([['m'], [undefined]])('each request of %s is priced once, however often the cost is asked for', (model) => {
  const ledger = new RequestLedger()
  let asked = 0
  const price = () => {
    asked += 1
    return 1
  }
  for (let n = 1; n <= 5000; n++) {
    ledger.note(request(model))
    expect(ledger.costOfUncounted('of the run', price)).toMatchObject({ usd: n, unpriced: 0 })
  }
  expect(asked).toBeLessThanOrEqual(2 * 5000) // once for the run, once for its model
})

test('a request that names no model costs what the model of the run costs, also when that changes', () => {
  const ledger = new RequestLedger()
  const price = (one: TokenUsageEvent, model: string | null) => ((one.model ?? model) === 'dear' ? 10 : 1)
  ledger.note(request())
  ledger.note(request('dear'))
  expect(ledger.costOfUncounted('cheap', price).usd).toBe(11)
  expect(ledger.costOfUncounted('dear', price).usd).toBe(20)
  expect(ledger.costOfModel('dear', price)).toBe(10)
})

test('what is covered does not count; what was withdrawn before it was covered always does', () => {
  const ledger = new RequestLedger()
  const price = ({ costUsd, model }: TokenUsageEvent) => costUsd ?? (model === 'm' ? 1 : null)
  ledger.note(request('m'))
  ledger.cover()
  expect([ledger.count, ledger.uncounted]).toEqual([1, 0])
  ledger.note(request('m'))
  ledger.abandon()
  ledger.note(request('m', { costUsd: 5 }))
  ledger.cover()
  expect(ledger.costOfUncounted(null, price)).toMatchObject({ usd: 1, unpriced: 0 })
  ledger.note(request('nobody knows'))
  expect(ledger.costOfUncounted(null, price)).toEqual({ usd: 1, unpriced: 1, model: 'nobody knows' })
  expect([ledger.uncounted, ledger.costOfModel('m', price), ledger.costOfModel('nobody knows', price)]).toEqual([
    2,
    7,
    null,
  ])
})
