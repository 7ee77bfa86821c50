import { expect, test } from 'vitest'
import adapter from './index.ts'

test('the prompt from a file, and nothing on stdin', () => {
  const { args, stdin, files } = adapter.buildSpawnArgs({ prompt: '-hi', model: 'p/m', noSession: true })
  expect(args.slice(0, 4)).toEqual(['--print', '--output-format', 'stream-json', '--exit-on-error'])
  expect(args.slice(4)).toEqual(['--prompt-file', '{file:prompt.txt}', '--model', 'p/m', '--ephemeral'])
  expect(files).toEqual([{ name: 'prompt.txt', content: '-hi' }])
  expect(stdin).toBe('')
})
