import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commonSubsequence } from './common-subsequence.ts'

/** By the book: quadratic in memory, and easy to believe. */
function lengthByTable(a: readonly string[], b: readonly string[]): number {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0))
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const [above, left, corner] = [table[i - 1]?.[j] ?? 0, table[i]?.[j - 1] ?? 0, table[i - 1]?.[j - 1] ?? 0]
      const row = table[i]
      if (row) row[j] = a[i - 1] === b[j - 1] ? corner + 1 : Math.max(above, left)
    }
  }
  return table[a.length]?.[b.length] ?? 0
}

test('is common, in order, and as long as it can be', () => {
  const list = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 })
  fc.assert(
    fc.property(list, list, (a, b) => {
      const pairs = commonSubsequence(a, b)
      expect(pairs).toHaveLength(lengthByTable(a, b))
      for (const [k, [i, j]] of pairs.entries()) {
        expect(a[i]).toBe(b[j])
        expect(i).toBeGreaterThan(pairs[k - 1]?.[0] ?? -1)
        expect(j).toBeGreaterThan(pairs[k - 1]?.[1] ?? -1)
      }
    }),
    { numRuns: 1000 },
  )
})
