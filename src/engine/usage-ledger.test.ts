import fc from 'fast-check'
import { expect, test } from 'vitest'
import { UsageLedger } from './usage-ledger.ts'

const counts = fc.record({ inputTokens: fc.nat(1000), outputTokens: fc.nat(1000) })
const sum = (parts: readonly { inputTokens: number; outputTokens: number }[]) =>
  parts.reduce((total, { inputTokens, outputTokens }) => total + inputTokens + outputTokens, 0)

test('requests that are reported and seen count once, in whatever order they come', () => {
  fc.assert(
    fc.property(
      fc.array(counts, { maxLength: 20 }),
      fc.array(fc.boolean()),
      fc.boolean(),
      (requests, order, atOnce) => {
        const ledger = new UsageLedger()
        const total = { inputTokens: 0, outputTokens: 0 }
        for (const one of requests) {
          total.inputTokens += one.inputTokens
          total.outputTokens += one.outputTokens
        }
        const reported = atOnce ? [total] : [...requests]
        const seen = [...requests]
        let counted = 0
        for (let step = 0; reported.length + seen.length > 0; step++) {
          const isReported = seen.length === 0 || (reported.length > 0 && order[step] === true)
          const next = isReported ? reported.shift() : seen.shift()
          if (!next) continue
          const more = isReported ? ledger.report(next) : ledger.see(next)
          counted += sum([more ?? next])
        }
        expect(counted).toBe(sum(requests))
      },
    ),
  )
})

test('a turn that was stopped before its usage was reported has what was seen; the next one counts by itself', () => {
  const ledger = new UsageLedger()
  ledger.see({ inputTokens: 10, outputTokens: 1 })
  expect(ledger.report({ inputTokens: 10, outputTokens: 1 })).toMatchObject({ inputTokens: 0, outputTokens: 0 })
  ledger.settle()
  expect(ledger.lastTurnWasReported).toBe(true)
  expect(ledger.see({ inputTokens: 20, outputTokens: 2 })).toMatchObject({ inputTokens: 20, outputTokens: 2 })
  ledger.settle()
  expect(ledger.lastTurnWasReported).toBe(false)
})

test('what the stream leaves out of a turn is made up for by the store', () => {
  const ledger = new UsageLedger()
  ledger.see({ inputTokens: 10, outputTokens: 1 })
  ledger.see({ inputTokens: 20, outputTokens: 2 })
  // Only the last request, as OpenCode reports it by ACP.
  expect(ledger.report({ inputTokens: 20, outputTokens: 2 })).toMatchObject({ inputTokens: 0, outputTokens: 0 })
})
