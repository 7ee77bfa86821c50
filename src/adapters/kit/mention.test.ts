import { expect, test } from 'vitest'
import { mentionFile } from './mention.ts'

test('what the CLI would read as the end of the path is escaped', () => {
  expect(mentionFile('/a b/c(1).png')).toBe('@/a\\ b/c\\(1\\).png')
})

test('a path with a line break cannot be mentioned', () => {
  expect(() => mentionFile('a\nb')).toThrow('a path without line breaks')
})
