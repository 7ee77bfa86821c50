import { expect, test } from 'vitest'
import { CapabilityError, ValidationError } from '../../contract/errors.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { endpointOverride } from './args.ts'
import adapter from './index.ts'

const build = (options: Partial<RunOptions> = {}) =>
  adapter.buildSpawnArgs({ agent: 'droid', prompt: 'p', cwd: '/w', ...options })

test('speaks JSON-RPC, in every form of a run, and has no prompt on the command line', () => {
  const plain = ['exec', '--input-format', 'stream-jsonrpc', '--output-format', 'stream-jsonrpc']
  expect(build().args).toEqual(plain)
  expect(build({ nonInteractive: true, sessionId: 'x' }).args).toEqual(plain)
  expect(build().stdin).toBeUndefined()
})

test('yolo is a flag, because a loaded session cannot be told', () => {
  expect(build({ approvalMode: 'yolo' }).args).toContain('--skip-permissions-unsafe')
  expect(build({ approvalMode: 'accept-edits' }).args).not.toContain('--skip-permissions-unsafe')
})

test('a system prompt is appended from a file, or replaces in the protocol', () => {
  const { args, files } = build({ systemPrompt: 'Be brief.' })
  expect(args.slice(-2)).toEqual(['--append-system-prompt-file', '{file:system-prompt.txt}'])
  expect(files).toEqual([{ name: 'system-prompt.txt', content: 'Be brief.' }])
  expect(build({ systemPrompt: 'x', systemPromptMode: 'replace' }).files).toEqual([])
  const resumed = { systemPrompt: 'x', systemPromptMode: 'replace', sessionId: 's' } as const
  expect(() => build(resumed)).toThrow(CapabilityError)
})

test.each<Partial<RunOptions>>([
  { noSession: true },
  { addDirs: ['/x'] },
  { thinkingBudgetTokens: 1 },
  { skills: ['x'] },
  { agentsDoc: 'x' },
  { systemPrompt: 'x', systemPromptMode: 'prepend' },
  { attachments: [{ url: 'https://example.com/a.png' }] },
])('refuses %j', (options) => {
  expect(() => build(options)).toThrow(CapabilityError)
})

test('only a new session can be given an id', () => {
  expect(() => build({ newSessionId: 'a', sessionId: 'b' })).toThrow(ValidationError)
})

test('an endpoint is a settings file of the run, and the cloud is left out', () => {
  const endpoint = { baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'k', protocol: 'openai-chat' } as const
  const { args, env, files } = build({ endpoint, model: 'mine' })
  expect(args.slice(-2)).toEqual(['--settings', '{file:settings.json}'])
  expect(env).toMatchObject({ FACTORY_AIRGAP_ENABLED: 'true', FACTORY_API_KEY: '' })
  expect(JSON.stringify([args, env])).not.toContain('"k"')
  const { customModels } = JSON.parse(files?.[0]?.content ?? '')
  expect(customModels[0]).toMatchObject({ id: 'custom:mine', model: 'mine', provider: 'generic-chat-completion-api' })
})

test('an endpoint may speak three protocols', () => {
  const plan = (protocol: 'anthropic' | 'openai-responses' | 'gemini') =>
    endpointOverride({ baseUrl: 'http://x', apiKey: 'k', protocol }).files[0]?.content
  expect(plan('anthropic')).toContain('"provider":"anthropic"')
  expect(plan('openai-responses')).toContain('"provider":"openai"')
  expect(() => plan('gemini')).toThrow(CapabilityError)
})
