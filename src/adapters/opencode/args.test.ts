import { describe, expect, test } from 'vitest'
import type { RunOptions } from '../../contract/run-options.ts'
import { parseRecord } from '../../core/json.ts'
import { endpointOverride } from './args.ts'
import adapter from './index.ts'

const options = (more: Partial<RunOptions> = {}): RunOptions => ({ prompt: 'hello', nonInteractive: true, ...more })
const configOf = (more: Partial<RunOptions>) =>
  parseRecord(adapter.buildSpawnArgs(options(more)).env.OPENCODE_CONFIG_CONTENT ?? '{}')
const endpoint = { baseUrl: 'http://127.0.0.1:9', apiKey: 'sk-secret' }

test('the prompt of a one-shot run goes by stdin, and errors are reported with their cause in the log', () => {
  const { args, stdin, closeStdinAfterSpawn } = adapter.buildSpawnArgs(options({ model: 'a/b' }))
  expect(args).toEqual(['run', '--format=json', '--thinking', '--model=a/b', '--print-logs', '--log-level=ERROR'])
  expect(stdin).toBe('hello')
  expect(closeStdinAfterSpawn).toBe(true)
})

test('a live run is an ACP server that gets the rest in the protocol', () => {
  const server = { name: 's', command: 'c' }
  const { args, stdin, env } = adapter.buildSpawnArgs({ prompt: 'hello', model: 'a/b', mcpServers: [server] })
  expect(args[0]).toBe('acp')
  expect(stdin).toBeUndefined()
  expect(env.OPENCODE_CONFIG_CONTENT).toBeUndefined()
})

test.each<[string, Partial<RunOptions>, string]>([
  ['resume', { sessionId: 'ses_1' }, '--session=ses_1'],
  ['fork', { forkSessionId: 'ses_1' }, '--fork'],
  ['effort', { thinkingEffort: 'high' }, '--variant=high'],
  ['yolo', { approvalMode: 'yolo' }, '--auto'],
  ['attachment', { attachments: [{ filePath: 'a.png' }] }, '--file=a.png'],
])('%s has its flag', (_name, more, flag) => {
  expect(adapter.buildSpawnArgs(options({ model: 'a/b', ...more })).args).toContain(flag)
})

describe('without a model', () => {
  test('the free models of the gateway are switched off', () => {
    expect(configOf({})).toEqual({ disabled_providers: ['opencode'] })
  })
  test('a session goes on with its own', () => {
    expect(configOf({ sessionId: 'ses_1' })).toEqual({})
  })
  test('an endpoint is of no use', () => {
    expect(() => adapter.buildSpawnArgs(options({ endpoint }))).toThrow(/model: is needed/)
  })
})

test('a model needs its provider', () => {
  expect(() => adapter.buildSpawnArgs(options({ model: 'gpt' }))).toThrow(/must name its provider/)
})

test('an endpoint is the one provider there is, and its key is not on the command line', () => {
  const { args, env } = adapter.buildSpawnArgs(options({ model: 'm', endpoint }))
  expect(args).toContain('--model=amux/m')
  expect(args.join(' ')).not.toContain('sk-secret')
  expect(env.OPENCODE_DISABLE_MODELS_FETCH).toBe('1')
  const config = parseRecord(env.OPENCODE_CONFIG_CONTENT ?? '')
  expect(config).toMatchObject({ enabled_providers: ['amux'], small_model: 'amux/m' })
  expect(config?.provider).toMatchObject({
    amux: { npm: '@ai-sdk/openai-compatible', options: { baseURL: 'http://127.0.0.1:9/v1', apiKey: 'sk-secret' } },
  })
})

test.each([
  ['anthropic', '@ai-sdk/anthropic', 'http://127.0.0.1:9/v1'],
  ['openai-responses', '@ai-sdk/openai', 'http://127.0.0.1:9/v1'],
  ['gemini', '@ai-sdk/google', 'http://127.0.0.1:9/v1beta'],
] as const)('it can speak %s', (protocol, npm, baseURL) => {
  const { env } = endpointOverride({ ...endpoint, protocol })
  const config = parseRecord(env.OPENCODE_CONFIG_CONTENT ?? '')
  expect(config?.provider).toMatchObject({ amux: { npm, options: { baseURL } } })
})

describe('permissions', () => {
  test('without a mode the rules of the user hold', () => {
    expect(configOf({ model: 'a/b' })).toEqual({})
  })
  test('prompt asks before acting; accept-edits lets it edit', () => {
    expect(configOf({ model: 'a/b', approvalMode: 'prompt' })?.permission).toMatchObject({ '*': 'ask', grep: 'allow' })
    expect(configOf({ model: 'a/b', approvalMode: 'accept-edits' })?.permission).toMatchObject({ edit: 'allow' })
  })
  test('lists of tools are rules, which the main agent cannot override', () => {
    const config = configOf({ model: 'a/b', allowedTools: ['write'], disallowedTools: ['bash'] })
    const rules = { edit: 'allow', bash: 'deny' }
    expect(config).toMatchObject({ permission: rules, agent: { build: { permission: rules } } })
  })
})

test('words that look like the references of a config are kept as they are', () => {
  const systemPrompt = 'read {env:HOME} and {file:x}'
  const { env } = adapter.buildSpawnArgs(options({ model: 'a/b', systemPrompt, systemPromptMode: 'replace' }))
  expect(env.OPENCODE_CONFIG_CONTENT).not.toMatch(/\{(env|file):/)
  expect(parseRecord(env.OPENCODE_CONFIG_CONTENT ?? '')?.agent).toMatchObject({ build: { prompt: systemPrompt } })
})

test('a system prompt is appended by a file', () => {
  const { env, files } = adapter.buildSpawnArgs(options({ model: 'a/b', systemPrompt: 'be brief' }))
  expect(files).toEqual([{ name: 'system-prompt.md', content: 'be brief' }])
  expect(env.OPENCODE_CONFIG_CONTENT).toBe('{"instructions":["{file:system-prompt.md}"]}')
})

test('MCP servers of a one-shot run are in its config', () => {
  const mcpServers: RunOptions['mcpServers'] = [
    { name: 'a', command: 'c', args: ['x'], env: { K: 'v' } },
    { name: 'b', transport: 'streamable-http', url: 'http://x', headers: { h: '1' } },
  ]
  expect(configOf({ model: 'a/b', mcpServers })?.mcp).toEqual({
    a: { type: 'local', command: ['c', 'x'], environment: { K: 'v' }, enabled: true },
    b: { type: 'remote', url: 'http://x', headers: { h: '1' }, enabled: true },
  })
})

test('a run that leaves no session keeps it in memory', () => {
  expect(adapter.buildSpawnArgs(options({ model: 'a/b', noSession: true })).env.OPENCODE_DB).toBe(':memory:')
})

test.each<Partial<RunOptions>>([
  { newSessionId: 'x' },
  { addDirs: ['/x'] },
  { thinkingBudgetTokens: 5 },
  { systemPrompt: 'x', systemPromptMode: 'prepend' },
  { attachments: [{ base64: 'eA==', mimeType: 'text/plain' }] },
])('refuses what it cannot honour: %o', (more) => {
  expect(() => adapter.buildSpawnArgs(options({ model: 'a/b', ...more }))).toThrow(/does not support/)
})
