import { expect, test } from 'vitest'
import { CapabilityError } from '../../contract/errors.ts'
import { buildSpawnArgs } from './args.ts'

test('the prompt by stdin', () => {
  const { args, stdin } = buildSpawnArgs({ prompt: 'hi', model: 'p/m', sessionId: 's' })
  expect(args).toEqual(['run', '--quiet', '--model', 'p/m', '--session', 's'])
  expect(stdin).toBe('hi')
  expect(() => buildSpawnArgs({ prompt: 'hi', mcpServers: [{ name: 'a', command: 'b' }] })).toThrow(CapabilityError)
})
