import { expect, test } from 'vitest'
import { createDialogue } from './dialogue.ts'

test('ends at once where it waits for somebody to sign in', () => {
  const dialogue = createDialogue({ prompt: 'hi' })
  const effects = dialogue.onLine('No API key found. Starting login flow...', 'stdout')
  expect(effects).toMatchObject([{ fail: { endNow: true, outcome: { kind: 'auth_required' } } }])
  expect(dialogue.onLine('https://ampcode.com/auth', 'stdout')).toEqual([])
})
