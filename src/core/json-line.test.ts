import { expect, test } from 'vitest'
import { jsonLine } from './json-line.ts'

test('no line break of any kind is left in a record, and it still means the same', () => {
  const value = { text: 'a\nb\u2028c\u2029d' }
  expect(jsonLine(value)).not.toMatch(/[\n\u2028\u2029]/)
  expect(JSON.parse(jsonLine(value))).toEqual(value)
})
