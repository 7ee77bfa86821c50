import { expect, test } from 'vitest'
import { lineDiff } from './line-diff.ts'

test.each([
  ['a\nb\nc\n', 'a\nB\nc\n', '@@ -2,1 +2,1 @@\n-b\n+B\n'],
  ['', 'one\ntwo\n', '@@ -0,0 +1,2 @@\n+one\n+two\n'],
  ['a\na\n', 'a\na\na\n', '@@ -2,0 +3,1 @@\n+a\n'],
  ['gone\n', '', '@@ -1,1 +0,0 @@\n-gone\n'],
  ['same', 'same', ''],
])('%j to %j', (before, after, diff) => {
  expect(lineDiff(before, after)).toBe(diff)
})
