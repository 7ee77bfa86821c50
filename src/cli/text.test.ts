import { expect, test } from 'vitest'
import { plain, wantsColor } from './output.ts'
import { countChanges, describeInput, OutputTail } from './run/tool-text.ts'
import { table } from './table.ts'
import { displayWidth, formatCost, formatCount, formatDuration, oneLine, printable, truncate } from './text.ts'

test('widths and cuts', () => {
  expect(displayWidth('abc')).toBe(3)
  expect(displayWidth('日本')).toBe(4)
  expect(truncate('abcdef', 6)).toBe('abcdef')
  expect(truncate('abcdefg', 6)).toBe('abcde…')
  expect(truncate('日本語', 4)).toBe('日…')
})

test.each([
  ['e\u0301', 1],
  ['👨‍👩‍👧', 2],
  ['👍🏽', 2],
  ['🇩🇪', 2],
  ['❤️', 2],
  ['1️⃣', 2],
  ['。、「」', 8],
  ['ＡＢ', 4],
  ['한국어', 6],
  ['\u200b', 0],
  ['–…“”', 4],
  ['ไทย', 3],
])('%s is %i columns wide', (text, width) => {
  expect(displayWidth(text)).toBe(width)
})

test('a cut never splits what is seen as one', () => {
  expect(truncate('a👨‍👩‍👧bc', 4)).toBe('a👨‍👩‍👧…')
  expect(truncate('a👨‍👩‍👧bc', 3)).toBe('a…')
})

test('an agent cannot steer the terminal', () => {
  expect(printable('a\u001b[2Jb\u0007\u009bc\n\td')).toBe('a[2Jbc\n\td')
  expect(oneLine('  a\r\n b\u001b ')).toBe('a b')
})

test.each([
  [5, '5ms'],
  [1240, '1.2s'],
  [59_990, '1m 00s'],
  [125_000, '2m 05s'],
])('%i ms is %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

test('counts and costs', () => {
  expect([999, 1234, 2_500_000].map(formatCount)).toEqual(['999', '1.2k', '2.5M'])
  expect(formatCost(null)).toBe('unpriced')
  expect(formatCost({ totalUsd: 0.00266, source: 'agent' })).toBe('$0.0027')
  expect(formatCost({ totalUsd: 1.239, source: 'price-table' })).toBe('~$1.24')
})

test('a table gives way at its widest column', () => {
  const rows = [
    ['A', 'BBBBBBBBBBBBBBBBBBBBBBBBBBBBBB', 'C'],
    ['aaaa', 'b', 'c'],
  ]
  expect(table(rows, plain, 24)).toBe('A     BBBBBBBBBBBBBB…  C\naaaa  b                c\n')
})

test('colours', () => {
  const stream = (isTTY: boolean) => ({ isTTY, write: () => true, once: () => undefined })
  expect(wantsColor(stream(true), {})).toBe(true)
  expect(wantsColor(stream(false), {})).toBe(false)
  expect(wantsColor(stream(false), { FORCE_COLOR: '1' })).toBe(true)
  expect(wantsColor(stream(true), { FORCE_COLOR: '0' })).toBe(false)
  expect(wantsColor(stream(true), { NO_COLOR: '1', FORCE_COLOR: '1' })).toBe(false)
  expect(wantsColor(stream(true), {}, true)).toBe(false)
})

test('the input of a tool in one line', () => {
  expect(describeInput({ description: 'say', command: 'echo\n hi' })).toBe('echo hi')
  expect(describeInput({ command: ['ls', '-l'] })).toBe('ls -l')
  expect(describeInput({ questions: [{ question: 'Which?' }] })).toBe('Which?')
  expect(describeInput({ changes: [{ path: 'a.ts', diff: '' }] })).toBe('a.ts')
  expect(describeInput({ x: 1 })).toBe('{"x":1}')
  expect(describeInput({})).toBe('')
})

test('changes of a diff, its header left out', () => {
  expect(countChanges('--- a\n+++ b\n@@\n-x\n+y\n+z\n w')).toEqual({ added: 2, removed: 1 })
})

test('long output keeps its end', () => {
  const tail = new OutputTail()
  for (let i = 1; i <= 20; i++) tail.push(`line ${i}\nli`.slice(0, -2))
  tail.push('part')
  expect(tail.lines).toEqual([13, 14, 15, 16, 17, 18, 19, 20].map((i) => `line ${i}`).concat('part'))
  expect(tail.dropped).toBe(12)
})
