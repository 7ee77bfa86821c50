import { parse } from 'smol-toml'
import { expect, test } from 'vitest'
import { tomlLiteral } from './toml-literal.ts'

test('values survive a round trip', () => {
  const values = { text: 'a"b\\c\nd\te\x7f\u2028é🙂\x01', list: ['x', 1, true], table: { 'k.ey': { deep: "'" } } }
  expect(parse(`v=${tomlLiteral(values)}`)).toEqual({ v: values })
})

test('half a surrogate pair has no form in TOML, so it is replaced', () => {
  expect(parse(`v=${tomlLiteral('half \ud800 pair')}`)).toEqual({ v: 'half \ufffd pair' })
})

test('a value stays on one line', () => {
  expect(tomlLiteral({ a: ['x\ny', { b: 1 }], c: undefined })).toBe('{ a = ["x\\ny", { b = 1 }] }')
})
