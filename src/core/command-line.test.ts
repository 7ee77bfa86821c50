import { expect, test } from 'vitest'
import { splitCommandLine } from './command-line.ts'

test.each([
  ['my-agent --acp', ['my-agent', '--acp']],
  ['  a\t b  ', ['a', 'b']],
  [`"my agent" --name 'it is' x`, ['my agent', '--name', 'it is', 'x']],
  [`a'b'"c"d`, ['abcd']],
  [`a '' ""`, ['a', '', '']],
  ['a\\ b \\"', ['a b', '"']],
  [`"a\\"b" "a\\b" 'a\\b'`, ['a"b', 'a\\b', 'a\\b']],
  ['a $HOME `id` ; rm * | b', ['a', '$HOME', '`id`', ';', 'rm', '*', '|', 'b']],
  ['', []],
])('%j', (line, words) => {
  expect(splitCommandLine(line)).toEqual(words)
})

test.each([`a "b`, `a 'b`, 'a \\'])('not closed: %j', (line) => {
  expect(splitCommandLine(line)).toBeNull()
})
