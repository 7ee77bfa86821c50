import { expect, test } from 'vitest'
import adapter from './index.ts'

test('ACP, unless there is nothing to ask', () => {
  expect(adapter.buildSpawnArgs({ prompt: 'hi' }).args).toEqual(['acp'])
  expect(adapter.buildSpawnArgs({ prompt: 'hi', nonInteractive: true }).args).toEqual(['acp'])
  expect(adapter.buildSpawnArgs({ prompt: 'hi', approvalMode: 'deny' }).env).toEqual({ GOOSE_MODE: 'approve' })
})

test('one-shot: its own stream', () => {
  const options = {
    prompt: 'hi',
    nonInteractive: true,
    approvalMode: 'yolo',
    sessionId: 's',
    systemPrompt: 'x',
  } as const
  const { args, env, stdin } = adapter.buildSpawnArgs(options)
  expect(args).toEqual([
    ...['run', '--instructions', '-', '--output-format', 'stream-json', '--quiet'],
    ...['--system', 'x', '--resume', '--session-id', 's'],
  ])
  expect([env.GOOSE_MODE, stdin]).toEqual(['auto', 'hi'])
  expect(adapter.buildSpawnArgs({ ...options, approvalMode: 'deny' }).env.GOOSE_MODE).toBe('chat')
})
