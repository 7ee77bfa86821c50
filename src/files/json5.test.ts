import { expect, test } from 'vitest'
import { parseJson5 } from './json5.ts'

const parse = (text: string) => parseJson5(text, 'x.json5')

test('what JSON5 adds to JSON is read', async () => {
  const text = `// "a": 'b'
  {
    name: 'it\\'s "x"', $odd_1: "http://x/*y*/", 'quoted key': +1, hex: 0xFF, half: .5, whole: 5., none: NaN,
    ünder: [1, -2e3, null, true,], /* c: 1 */ long: 'a\\
b', tab: "\\t\\u00e9", plain: 'it is: so, {here}',
  }`
  expect(await parse(text)).toEqual({
    name: `it's "x"`,
    $odd_1: 'http://x/*y*/',
    'quoted key': 1,
    hex: 255,
    half: 0.5,
    whole: 5,
    none: null,
    ünder: [1, -2000, null, true],
    long: 'ab',
    tab: '\té',
    plain: 'it is: so, {here}',
  })
})

test('plain JSON means the same', async () => {
  const value = { a: [1, 2.5, -3e-7, '"\\/\b', { b: null }], '': 'x:y', 'c//d': '/*' }
  expect(await parse(JSON.stringify(value, null, 2))).toEqual(value)
})

test.each(['{', "{a:'b", '{a b}', "{'a':}"])('%s is refused', async (text) => {
  await expect(parse(text)).rejects.toThrow('x.json5')
})
