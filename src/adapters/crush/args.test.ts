import { expect, test } from 'vitest'
import { CapabilityError } from '../../contract/errors.ts'
import adapter from './index.ts'

test('the prompt by stdin', () => {
  const { args, stdin } = adapter.buildSpawnArgs({ prompt: 'hi', model: 'p/m', sessionId: 's' })
  expect(args).toEqual(['run', '--quiet', '--model', 'p/m', '--session', 's'])
  expect(stdin).toBe('hi')
  expect(() => adapter.buildSpawnArgs({ prompt: 'hi', mcpServers: [{ name: 'a', command: 'b' }] })).toThrow(
    CapabilityError,
  )
})

test('one that hangs after its answer is ended by its silence', () => {
  expect(adapter.buildSpawnArgs({ prompt: 'hi' }).inactivityTimeout).toBe(600_000)
  expect(adapter.buildSpawnArgs({ prompt: 'hi', inactivityTimeout: 5 }).inactivityTimeout).toBe(5)
})
