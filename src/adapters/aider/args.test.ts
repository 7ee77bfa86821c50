import { expect, test } from 'vitest'
import { CapabilityError, ValidationError } from '../../contract/errors.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import adapter from './index.ts'

const build = (options: Partial<RunOptions> = {}) =>
  adapter.buildSpawnArgs({ prompt: 'hi', runId: 'R1', env: { HOME: '/home/u' }, ...options })

const flagValue = (args: string[], name: string) => args[args.indexOf(name) + 1]

test('the prompt is in a file', () => {
  const { args, files } = build({ model: 'm' })
  expect(args.slice(0, 2)).toEqual(['--message-file', '{file:prompt.txt}'])
  expect(flagValue(args, '--model')).toBe('m')
  expect(files).toEqual([{ name: 'prompt.txt', content: 'hi' }])
})

test.each(['!rm -rf x', '/run rm -rf x'])('%s is a prompt, not a command of the CLI', (prompt) => {
  expect(build({ prompt }).files?.[0]?.content).toBe(`\n${prompt}`)
})

test('the end of stdin means yes to the CLI: only yolo closes it without an answer and without a flag', () => {
  const answers = (options: Partial<RunOptions>) => build(options).stdin?.slice(0, 4)
  expect(answers({ approvalMode: 'yolo' })).toBe('')
  expect(build({ approvalMode: 'yolo' }).args).not.toContain('--yes-always')
  expect(answers({ approvalMode: 'accept-edits' })).toBe('')
  expect(build({ approvalMode: 'accept-edits' }).args).toContain('--yes-always')
  for (const approvalMode of [undefined, 'prompt', 'deny'] as const) {
    expect(answers({ approvalMode })).toBe('n\nn\n')
  }
  expect(build({ approvalMode: 'deny' }).args).toContain('--dry-run')
})

test.each([undefined, 'prompt', 'deny', 'accept-edits'] as const)(
  'no command of the settings runs in mode %s',
  (mode) => {
    const { args } = build({ approvalMode: mode })
    const flags = [
      '--no-suggest-shell-commands',
      '--test-cmd=',
      '--lint-cmd=none:true',
      '--no-notifications',
      '--load=',
    ]
    expect(args).toEqual(expect.arrayContaining(flags))
  },
)

test('all answers fit into a pipe', () => {
  expect(build().stdin?.length).toBeLessThan(65_536)
})

test('a session has files of its own, named after its run', () => {
  const { args } = build()
  expect(flagValue(args, '--chat-history-file')).toBe('/home/u/.aider/sessions/R1.md')
  expect(flagValue(args, '--analytics-log')).toBe('/home/u/.aider/sessions/R1.jsonl')
  expect(args).not.toContain('--restore-chat-history')
  const resumed = build({ sessionId: 'S1' }).args
  expect(flagValue(resumed, '--chat-history-file')).toBe('/home/u/.aider/sessions/S1.md')
  expect(resumed).toContain('--restore-chat-history')
  expect(flagValue(build({ newSessionId: 'S2' }).args, '--chat-history-file')).toBe('/home/u/.aider/sessions/S2.md')
  expect(flagValue(build({ noSession: true }).args, '--chat-history-file')).toBe('{file:session.md}')
})

test.each([{ newSessionId: '../x' }, { sessionId: '../../.ssh/x' }])('refuses %j', (options) => {
  expect(() => build(options)).toThrow(ValidationError)
})

test('an endpoint is a provider of LiteLLM', () => {
  const { args, env } = build({ endpoint: { baseUrl: 'http://x', apiKey: 'k' }, model: 'm' })
  expect([flagValue(args, '--model'), flagValue(args, '--weak-model')]).toEqual(['openai/m', 'openai/m'])
  expect(env).toMatchObject({ OPENAI_API_KEY: 'k' })
  expect(flagValue(args, '--openai-api-base')).toBe('http://x/v1')
  expect(flagValue(args, '--set-env')).toBe('OPENAI_API_BASE=http://x/v1')
  const anthropic = build({ endpoint: { baseUrl: 'http://x/v1', apiKey: 'k', protocol: 'anthropic' }, model: 'm' })
  expect(anthropic.env).toMatchObject({ ANTHROPIC_API_KEY: 'k' })
  expect(flagValue(anthropic.args, '--set-env')).toBe('ANTHROPIC_API_BASE=http://x')
  expect(flagValue(anthropic.args, '--model')).toBe('anthropic/m')
})

test('thinking is asked for, also of models that the CLI does not know', () => {
  const { args } = build({ thinkingEffort: 'high', thinkingBudgetTokens: 2048 })
  expect(args.slice(-5)).toEqual([
    '--no-check-model-accepts-settings',
    ...['--reasoning-effort', 'high', '--thinking-tokens', '2048'],
  ])
})

test('a file to read, and nothing else', () => {
  expect(build({ attachments: [{ filePath: '/w/a.txt', mimeType: 'text/plain' }] }).args).toContain('--read')
  expect(() => build({ attachments: [{ base64: 'eA==', mimeType: 'text/plain' }] })).toThrow(CapabilityError)
})

test('one that hangs after its answer is ended by its silence', () => {
  expect(build().inactivityTimeout).toBe(600_000)
  expect(build({ inactivityTimeout: 5 }).inactivityTimeout).toBe(5)
})
