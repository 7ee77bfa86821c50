import { expect, test } from 'vitest'
import type { Effect } from '../../contract/dialogue.ts'
import { createDialogue } from './dialogue.ts'

const options = { agent: 'continue', prompt: 'p', nonInteractive: true }
const text = (effects: Effect[]) =>
  effects
    .flatMap((effect) => ('emit' in effect && effect.emit.type === 'text_delta' ? [effect.emit.delta] : []))
    .join('')

test('all lines are the answer, also one that looks like a record', () => {
  const dialogue = createDialogue(options)
  dialogue.start(options)
  const lines = ['first', '', '{"status":"success","response":"x"}']
  expect(text(lines.flatMap((line) => dialogue.onLine(line, 'stdout')))).toBe(lines.join('\n'))
  expect(dialogue.onExit({ exitCode: 0, signal: null, stderr: '' })).toEqual([{ emit: { type: 'turn_end' } }])
})

test('without an answer nothing is completed', () => {
  const effects = createDialogue(options).onExit({ exitCode: 0, signal: null, stderr: '' })
  expect(effects[0]).toMatchObject({ fail: { outcome: { kind: 'failed' } } })
})

test('a recording with --format json holds the answer in an object', () => {
  const line = '{"response":"Hello.","status":"success","note":"…"}'
  expect(text(createDialogue(options).onLine(line, 'stdout'))).toBe('Hello.')
})

test.each([
  ['{"status":"error","message":"401 Incorrect API key provided"}', 'auth_required'],
  ['{"status":"error","message":"429 Rate limit reached"}', 'rate_limited'],
  ['The request failed and the interceptors did not return an alternative response', 'auth_required'],
])('%s', (stderr, kind) => {
  const effects = createDialogue(options).onExit({ exitCode: 1, signal: null, stderr })
  expect(effects.flatMap((effect) => ('fail' in effect ? [effect.fail.outcome.kind] : []))).toEqual([kind])
})
