import { expect, test } from 'vitest'
import { holdsText, inputText } from './screen-input.ts'

test('the last line with the mark is the input, within a frame or not', () => {
  const screen = ['❯ what was said before', '● an answer', '│ ❯ what is typed now  │', '  footer']
  expect(inputText(screen, { inputMark: '❯' })).toBe(' what is typed now  │')
  expect(inputText(['starting'], { inputMark: '❯' })).toBeNull()
  // Gemini 0.61 that allows every tool.
  const yolo = [' > do it', '✦ Done.', ' *   again']
  expect(inputText(yolo, { inputMark: /^[>*]/ })).toBe('   again')
  expect(inputText(['✦ Done.'], { inputMark: /^[>*]/ })).toBeNull()
})

test('what is between the last two edges is the input', () => {
  const edges = { inputFrame: /^──/ }
  expect(inputText(['────', 'old', '────', 'what', 'is typed', '────', 'footer'], edges)).toBe('what\nis typed')
  expect(inputText(['────', '────'], edges)).toBe('')
  expect(inputText(['────'], edges)).toBeNull()
  expect(inputText(['anything'], {})).toBeNull()
})

test('a message is known by its beginning, however it is spaced, or by the name of a paste', () => {
  expect(holdsText(' fix\tthe  tests, please │', 'fix the tests, please\nand more')).toBe(true)
  expect(holdsText(' [Pasted text #1 +40 lines]', 'long')).toBe(true)
  expect(holdsText(' Type your message', 'fix the tests')).toBe(false)
})
