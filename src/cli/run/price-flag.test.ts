import { expect, test } from 'vitest'
import { parsePrice } from './price-flag.ts'

test('dollars per million tokens', () => {
  expect(parsePrice('in=3,out=15')).toEqual({ input: 3, output: 15 })
  expect(parsePrice('input=0, output=0.5, cache-read=0.3, cache-write=3.75')).toEqual({
    input: 0,
    output: 0.5,
    cacheRead: 0.3,
    cacheWrite: 3.75,
  })
})

test.each(['', '3', 'in=3', 'in=,out=1', 'in=x,out=1', 'in=-1,out=1', 'in=1,out=1,toString=2'])(
  'not a price: %s',
  (text) => {
    expect(() => parsePrice(text)).toThrow(/--price/)
  },
)
