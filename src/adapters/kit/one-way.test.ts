import { expect, test } from 'vitest'
import type { Effect } from '../../contract/dialogue.ts'
import { oneWayStream, plainText, positionalPrompt } from './one-way.ts'

const options = { prompt: 'x' }
const exit = { exitCode: 0, signal: null, stderr: '' }
const textOf = (effects: Effect[]) =>
  effects.map((effect) => ('emit' in effect && effect.emit.type === 'text_delta' ? effect.emit.delta : '')).join('')
const outcomeOf = (effects: Effect[]) => effects.flatMap((effect) => ('fail' in effect ? effect.fail.outcome.kind : []))

test('plain text: blank lines only between words, noise left out', () => {
  const dialogue = plainText({ options, displayName: 'Foo', noise: /^Foo v/ })
  const lines = ['Foo v1', '', 'one', '', '', 'two', '']
  expect(textOf(lines.flatMap((line) => dialogue.onLine(line, 'stdout')))).toBe('one\n\n\ntwo')
  expect(dialogue.onLine('a warning', 'stderr')).toEqual([])
  expect(dialogue.onExit(exit)).toEqual([{ emit: { type: 'turn_end' } }])
})

test('plain text: words decide where the exit code is silent', () => {
  const dialogue = plainText({ options, displayName: 'Foo', guidance: 'Sign in.', errorLine: /^FooError/ })
  dialogue.onLine('FooError: 401 Unauthorized', 'stdout')
  expect(outcomeOf(dialogue.onExit(exit))).toEqual(['auth_required'])
})

test('an end without a result: known words, a signal, or drift', () => {
  const exitWords = [{ pattern: /^no key.*$/m, kind: 'auth' }] as const
  const dialogue = oneWayStream({ options, displayName: 'Foo', exitWords, record: () => [], isSettled: () => false })
  expect(outcomeOf(dialogue.onExit({ ...exit, exitCode: 1, stderr: 'oh\nno key there\n' }))).toEqual(['auth_required'])
  expect(outcomeOf(dialogue.onExit({ ...exit, exitCode: null, signal: 'SIGTERM' }))).toEqual(['cancelled'])
  expect(outcomeOf(dialogue.onExit(exit))).toEqual(['protocol_drift'])
  expect(dialogue.onExit({ ...exit, exitCode: 3 })).toEqual([])
  expect(dialogue.onCommand({ type: 'interrupt' })).toBeNull()
})

test('a turn that is settled stays so', () => {
  const dialogue = oneWayStream({ options, displayName: 'Foo', record: () => [], isSettled: () => true })
  expect(dialogue.onExit({ ...exit, exitCode: 1 })).toEqual([])
})

test('a prompt is never a flag', () => {
  expect([positionalPrompt('--help'), positionalPrompt('help')]).toEqual(['\n--help', 'help'])
})
