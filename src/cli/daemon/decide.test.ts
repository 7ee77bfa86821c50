import { expect, test } from 'vitest'
import { nothingToDecide } from './decide.ts'

// `amux deny k3v9 "Not on this branch"`: the text is taken for the name of a request.
test('a text in the place of a request is answered with the flag for it', () => {
  const error = nothingToDecide('deny', [{ type: 'approval' }], 'k3v9', 'Not on this branch')
  expect(error.hint).toContain('amux deny k3v9 --reason "…"')
  expect(error.hint).not.toContain('amux send')
})

test('a message is suggested only for a question', () => {
  expect(nothingToDecide('deny', [{ type: 'input' }], 'k3v9', undefined).hint).toContain('amux send k3v9')
  expect(nothingToDecide('approve', [], 'k3v9', undefined).hint).toContain('amux show k3v9')
})
