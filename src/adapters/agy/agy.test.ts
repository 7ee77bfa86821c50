import { expect, test } from 'vitest'
import { createDialogue } from './dialogue.ts'
import adapter from './index.ts'

const RESULT = JSON.stringify({ event: 'result', result: { status: 'SUCCESS', response: 'ok' } })
const user = (content: string) => ({ write: JSON.stringify({ event: 'user', message: { content } }) })

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

test('the next prompt waits for the result of the one before', () => {
  const dialogue = createDialogue({ prompt: 'hi' })
  expect(dialogue.start({ prompt: 'hi' })).toEqual([user('hi')])
  expect(dialogue.onCommand({ type: 'user_turn', text: 'more' })).toEqual([])
  expect(dialogue.busy?.()).toBe(true)
  expect(dialogue.onLine(RESULT, 'stdout')).toContainEqual(user('more'))
  expect(dialogue.onCommand({ type: 'close' })).toEqual([])
  expect(dialogue.onLine(RESULT, 'stdout')).toContainEqual({ closeStdin: true })
  expect(dialogue.onExit({ exitCode: 0, signal: null, stderr: '' })).toEqual([])
  expect(dialogue.onCommand({ type: 'interrupt' })).toBeNull()
})
