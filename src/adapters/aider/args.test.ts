import { expect, test } from 'vitest'
import { CapabilityError } from '../../contract/errors.ts'
import adapter from './index.ts'

test('the prompt in a file, nothing on stdin', () => {
  const { args, stdin, files } = adapter.buildSpawnArgs({ prompt: 'hi', model: 'm', thinkingEffort: 'high' })
  expect(args.slice(0, 2)).toEqual(['--message-file', '{file:prompt.txt}'])
  expect(args.slice(-4)).toEqual(['--model', 'm', '--reasoning-effort', 'high'])
  expect([stdin, files]).toEqual(['', [{ name: 'prompt.txt', content: 'hi' }]])
})

test('yolo says yes, deny changes nothing', () => {
  expect(adapter.buildSpawnArgs({ prompt: 'hi', approvalMode: 'yolo' }).args).toContain('--yes-always')
  expect(adapter.buildSpawnArgs({ prompt: 'hi', approvalMode: 'deny' }).args).toContain('--dry-run')
  expect(() => adapter.buildSpawnArgs({ prompt: 'hi', sessionId: 's' })).toThrow(CapabilityError)
})

test('one that hangs after its answer is ended by its silence', () => {
  expect(adapter.buildSpawnArgs({ prompt: 'hi' }).inactivityTimeout).toBe(600_000)
  expect(adapter.buildSpawnArgs({ prompt: 'hi', inactivityTimeout: 5 }).inactivityTimeout).toBe(5)
})
