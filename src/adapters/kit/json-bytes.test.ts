import { expect, test } from 'vitest'
import { MemberCursor } from './json-bytes.ts'

const TEXTS = [
  '',
  'msg_01',
  'msg_02',
  'msg_01x',
  'a"b',
  'a\\b',
  'back\\',
  '\b',
  'é',
  '\u9000',
  'line\nend',
  'x'.repeat(100),
]

function valueIn(value: unknown): MemberCursor {
  const bytes = Buffer.from(`{"first":${JSON.stringify(value)},"then":1}`)
  const cursor = new MemberCursor()
  cursor.open(bytes, 0, bytes.length)
  cursor.next()
  return cursor
}

test('a text is the same, whatever it is taken for', () => {
  // What one byte stands for in one alphabet is a part of a letter in another.
  const known = [...TEXTS, '\u00e9\u0080\u0080', '\\b', 'a\\"b']
  for (const value of TEXTS) {
    for (const guess of known) {
      const cursor = valueIn(value)
      expect(cursor.textLike(guess)).toBe(value)
      expect(cursor.next() && cursor.count()).toBe(1)
    }
  }
  for (const value of [1, null, {}, [], true]) expect(valueIn(value).textLike('')).toBeUndefined()
})
