import { expect, test } from 'vitest'
import adapter from './index.ts'

test('live: ACP', () => {
  const { args, stdin } = adapter.buildSpawnArgs({ prompt: 'hi', model: 'm' })
  expect([args, stdin]).toEqual([['--acp', '--model', 'm'], undefined])
})

test('one-shot: its own stream', () => {
  const options = {
    prompt: 'hi',
    nonInteractive: true,
    forkSessionId: 's',
    approvalMode: 'yolo',
    systemPrompt: 'x',
  } as const
  const { args, stdin } = adapter.buildSpawnArgs(options)
  expect(args).toEqual([
    '--print',
    '--output-format=stream-json',
    '--permission-mode=bypass_permissions',
    '--resume=s',
    '--fork-session',
    '--append-system-prompt=x',
  ])
  expect(stdin).toBe('hi')
})

test('secrets stay off the command line', () => {
  const mcpServers = [{ name: 'far', transport: 'sse' as const, url: 'http://x', headers: { key: 'secret' } }]
  const { args, files } = adapter.buildSpawnArgs({ prompt: 'hi', nonInteractive: true, mcpServers })
  expect(args.join(' ')).not.toContain('secret')
  expect(files?.[0]?.content).toContain('secret')
})
