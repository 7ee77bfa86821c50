import { expect, test } from 'vitest'
import type { Effect } from '../../contract/dialogue.ts'
import { createDialogue } from './dialogue.ts'

const INTRODUCTION = [
  'Aider v0.86.2',
  'Model: openai/m with diff edit format',
  'Git repo: none',
  'Repo-map: disabled',
  '',
]
const ANSWERED = 'Tokens: 1.1k sent, 25 received.'

function play(...lines: string[]): Effect[] {
  const dialogue = createDialogue({ agent: 'aider', prompt: 'p', model: 'm', runId: 'R1' })
  return [
    ...dialogue.start({ prompt: 'p' }),
    ...[...INTRODUCTION, ...lines].flatMap((line) => dialogue.onLine(line, 'stdout')),
    ...dialogue.onExit({ exitCode: 0, signal: null, stderr: '' }),
  ]
}

const emitted = (effects: Effect[]) => effects.flatMap((effect) => ('emit' in effect ? [effect.emit] : []))
const said = (effects: Effect[]) => emitted(effects).flatMap((one) => (one.type === 'text_delta' ? [one.delta] : []))
const outcome = (effects: Effect[]) => effects.flatMap((one) => ('fail' in one ? [one.fail.outcome.kind] : []))

test('what the model says about failures, edits and retries is an answer like any other', () => {
  const lines = ['litellm.RateLimitError: is a class.', 'Applied edit to x', 'Skipping edits to x', 'Running rm -rf x']
  const effects = play(...lines, '', ANSWERED)
  expect(said(effects)).toEqual([lines.join('\n')])
  expect(outcome(effects)).toEqual([])
  expect(emitted(effects).map(({ type }) => type)).toEqual(['session_start', 'text_delta', 'turn_end'])
})

test('a line about retrying is one only after a failure', () => {
  expect(said(play('Retrying in 1.0 seconds...', ANSWERED))).toEqual(['Retrying in 1.0 seconds...'])
  const effects = play(
    'litellm.RateLimitError: Rate limit reached for requests.',
    'Retrying in 0.5 seconds...',
    'Hi',
    ANSWERED,
  )
  expect(said(effects)).toEqual(['Hi'])
  expect(emitted(effects)).toContainEqual(expect.objectContaining({ type: 'retry', attempt: 1, delayMs: 500 }))
})

test('a failure after an answer is the end of the run', () => {
  const effects = play('Hi', ANSWERED, 'litellm.AuthenticationError: Incorrect API key provided.')
  expect(outcome(effects)).toEqual(['auth_required'])
})

test('a session that is not kept has no id', () => {
  const dialogue = createDialogue({ agent: 'aider', prompt: 'p', noSession: true, runId: 'R1' })
  expect(emitted(dialogue.start({ prompt: 'p' }))).toEqual([{ type: 'session_start', sessionId: '', resumed: false }])
})
