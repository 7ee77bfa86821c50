import { expect, test } from 'vitest'
import { splitWords } from './split-words.ts'

test('words as a shell splits them', () => {
  expect(splitWords(`a "b c" 'd"e' f\\ g ""`)).toEqual(['a', 'b c', 'd"e', 'f g', ''])
  expect(splitWords('a "b')).toBeNull()
})
