import { expect, test } from 'vitest'
import { CapabilityError } from '../../contract/errors.ts'
import { buildSpawnArgs } from './args.ts'

test('live: ACP', () => {
  expect(buildSpawnArgs({ prompt: 'hi' }).args).toEqual(['acp'])
})

test('one-shot: its own stream, in a workspace that is trusted', () => {
  const { args } = buildSpawnArgs({
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

test('deny is its mode ask; edits alone cannot be allowed', () => {
  expect(buildSpawnArgs({ prompt: 'hi', nonInteractive: true, approvalMode: 'deny' }).args).toContain('ask')
  const edits = { prompt: 'hi', nonInteractive: true, approvalMode: 'accept-edits' } as const
  expect(() => buildSpawnArgs(edits)).toThrow(CapabilityError)
})
