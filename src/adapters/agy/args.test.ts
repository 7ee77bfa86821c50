import { expect, test } from 'vitest'
import adapter from './index.ts'

test('prompts are records', () => {
  const { args, stdin } = adapter.buildSpawnArgs({
    prompt: 'hi',
    nonInteractive: true,
    approvalMode: 'yolo',
    timeout: 600_000,
  })
  expect(args).toEqual([
    ...['--input-format', 'stream-json', '--output-format', 'stream-json'],
    ...['--dangerously-skip-permissions', '--print-timeout', '600s'],
  ])
  expect(stdin).toBe('{"event":"user","message":{"content":"hi"}}\n')
  expect(adapter.buildSpawnArgs({ prompt: 'hi' }).stdin).toBeUndefined()
})

test('a schema goes into a file', () => {
  const { args, files } = adapter.buildSpawnArgs({ prompt: 'hi', outputSchema: { type: 'object' } })
  expect([args.at(-1), files?.[0]?.content]).toEqual(['{file:schema.json}', '{"type":"object"}'])
})
