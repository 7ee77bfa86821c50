import { expect, test } from 'vitest'
import { CapabilityError } from '../../contract/errors.ts'
import adapter from './index.ts'

test('live: ACP', () => {
  expect(adapter.buildSpawnArgs({ prompt: 'hi' }).args).toEqual(['acp'])
})

test('one-shot: its own stream, in a workspace that is trusted', () => {
  const { args } = adapter.buildSpawnArgs({
    prompt: '-hi',
    nonInteractive: true,
    approvalMode: 'yolo',
    model: 'm',
    sessionId: 's',
  })
  expect(args).toEqual([
    ...['--print', '--output-format', 'stream-json', '--stream-partial-output', '--trust'],
    ...['--force', '--model', 'm', '--resume', 's', '\n-hi'],
  ])
})

test('edits alone cannot be allowed in a one-shot run', () => {
  const edits = { prompt: 'hi', nonInteractive: true, approvalMode: 'accept-edits' } as const
  expect(() => adapter.buildSpawnArgs(edits)).toThrow(CapabilityError)
})
