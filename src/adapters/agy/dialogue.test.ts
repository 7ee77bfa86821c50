import { expect, test } from 'vitest'
import { createDialogue } from './dialogue.ts'

const RESULT = JSON.stringify({ event: 'result', result: { status: 'SUCCESS', response: 'ok' } })
const user = (content: string) => ({ write: JSON.stringify({ event: 'user', message: { content } }) })

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
