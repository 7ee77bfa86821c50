import { describe, expect, test } from 'vitest'
import { type ExitWords, exitFailure, wasStopped } from './exit.ts'

test.each([
  [null, 'SIGTERM', true],
  [null, 'SIGINT', true],
  [143, null, true],
  [130, null, true],
  [null, 'SIGKILL', false],
  [1, null, false],
  [null, null, false],
] as const)('exit code %s, signal %s: %s', (exitCode, signal, expected) => {
  expect(wasStopped({ exitCode, signal, stderr: '' })).toBe(expected)
})

describe('what stderr says about an exit', () => {
  const WORDS: readonly ExitWords[] = [{ pattern: /^No key.*$/m, kind: 'auth', hint: ' Set one.' }]
  const outcome = (stderr: string, exitCode = 1) => {
    const [effect] = exitFailure({ exitCode, signal: null, stderr }, WORDS, 'log in').slice(-1)
    return effect && 'fail' in effect ? effect.fail.outcome : undefined
  }

  test('the words of the agent, with what to do', () => {
    expect(outcome('noise\nNo key found.\n')).toEqual({ kind: 'auth_required', evidence: 'No key found. Set one.' })
  })

  test.each([
    'Unknown arguments: such-flag',
    "error: unexpected argument '--x' found",
    'Error: Unknown option: --bogus',
    'Error: You must provide a message or a command',
    'Error: A prompt is required when using the -p flag',
  ])('a command line that was refused: %s', (line) => {
    expect(outcome(`${line}\nUsage: x\n  x auth  Configure authentication`)).toMatchObject({
      kind: 'failed',
      code: 'VALIDATION_ERROR',
      evidence: line,
    })
  })

  test('a screen of help', () => {
    expect(outcome('x run [message..]\n\nOptions:\n  -h  help')).toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  test('nothing, of other words and of other exits', () => {
    expect(outcome('something else')).toBeUndefined()
    expect(outcome('Unknown option: --bogus', 101)).toBeUndefined()
  })
})
