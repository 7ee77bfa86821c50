import { expect, test } from 'vitest'
import { CapabilityError } from '../../contract/errors.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import adapter from './index.ts'

const build = (options: Partial<RunOptions> = {}) =>
  adapter.buildSpawnArgs({ agent: 'cline', prompt: '--help', cwd: '/w', ...options })

test('the prompt is the last argument, and no hub is used', () => {
  const { args, env, closeStdinAfterSpawn, inactivityTimeout } = build()
  expect(args).toEqual(['--json', '--', '--help'])
  expect(env).toEqual({ CLINE_SESSION_BACKEND_MODE: 'local' })
  expect(closeStdinAfterSpawn).toBe(true)
  expect(inactivityTimeout).toBe(600_000)
})

test.each<[Partial<RunOptions>, string[]]>([
  [{ approvalMode: 'yolo' }, []],
  [{ approvalMode: 'deny' }, ['--auto-approve', 'false']],
  [{ model: 'm' }, ['--model', 'm']],
  [{ thinkingEffort: 'high' }, ['--thinking', 'high']],
  [{ systemPrompt: 'x', systemPromptMode: 'replace' }, ['--system', 'x']],
])('%j', (options, flags) => {
  expect(build(options).args).toEqual(['--json', ...flags, '--', '--help'])
})

test.each<Partial<RunOptions>>([
  { sessionId: 's' },
  { forkSessionId: 's' },
  { noSession: true },
  { approvalMode: 'accept-edits' },
  { systemPrompt: 'x' },
])('refuses %j', (options) => {
  expect(() => build(options)).toThrow(CapabilityError)
})

test('an endpoint and MCP servers are files of the run', () => {
  const endpoint = { baseUrl: 'http://x/v1', apiKey: 'k' }
  const { args, env, files } = build({ endpoint, mcpServers: [{ name: 'tiny', command: 'node', args: ['x'] }] })
  expect(args.slice(0, 3)).toEqual(['--json', '--provider', 'openai-compatible'])
  expect(env).toMatchObject({
    CLINE_PROVIDER_SETTINGS_PATH: '{file:providers.json}',
    CLINE_MCP_SETTINGS_PATH: '{file:mcp.json}',
  })
  const [providers, mcp] = (files ?? []).map(({ content }) => JSON.parse(content))
  expect(providers.providers['openai-compatible'].settings).toMatchObject({ apiKey: 'k', baseUrl: 'http://x/v1' })
  expect(mcp).toEqual({ mcpServers: { tiny: { command: 'node', args: ['x'] } } })
})
