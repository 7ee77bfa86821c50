import { expect, test } from 'vitest'
import adapter from './index.ts'

test('live: ACP; one-shot: its own stream', () => {
  expect(adapter.buildSpawnArgs({ prompt: 'hi' }).args).toEqual(['acp'])
  const { args, stdin } = adapter.buildSpawnArgs({
    prompt: 'hi',
    nonInteractive: true,
    sessionId: 's',
    approvalMode: 'yolo',
  })
  expect(args).toEqual(['chat', '--query-file', '-', '--format', 'stream-json', '--resume', 's', '--yolo'])
  expect(stdin).toBe('hi')
})
