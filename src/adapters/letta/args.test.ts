import { expect, test } from 'vitest'
import { CapabilityError } from '../../contract/errors.ts'
import adapter from './index.ts'

const prompt = 'hi'

test('live: the prompt goes over the protocol, and approvals are asked for', () => {
  const { args, stdin } = adapter.buildSpawnArgs({ prompt })
  expect(args).toEqual([
    '--prompt',
    '--output-format',
    'stream-json',
    '--input-format',
    'stream-json',
    '--permission-mode',
    'standard',
    '--new',
  ])
  expect(stdin).toBeUndefined()
})

test('one-shot: the prompt goes by stdin', () => {
  const { args, stdin } = adapter.buildSpawnArgs({
    prompt: ['a', 'b'],
    systemPrompt: 's',
    nonInteractive: true,
    approvalMode: 'yolo',
  })
  expect(args).not.toContain('--input-format')
  expect(args).toContain('unrestricted')
  expect(stdin).toBe('<system_instructions>\ns\n</system_instructions>\n\na\n\nb')
})

test('options', () => {
  const { args } = adapter.buildSpawnArgs({
    prompt,
    sessionId: 'c1',
    model: 'm',
    maxTurns: 3,
    allowedTools: ['Read', 'Bash'],
  })
  expect(args.slice(7)).toEqual([
    '--conversation',
    'c1',
    '--model',
    'm',
    '--max-turns',
    '3',
    '--allowedTools',
    'Read,Bash',
  ])
  expect(() => adapter.buildSpawnArgs({ prompt, forkSessionId: 'c1' })).toThrow(CapabilityError)
})
