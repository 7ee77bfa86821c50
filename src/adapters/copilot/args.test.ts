import { expect, test } from 'vitest'
import type { RunOptions } from '../../contract/run-options.ts'
import adapter from './index.ts'

const build = (options: Partial<RunOptions>) => adapter.buildSpawnArgs({ prompt: 'do it', cwd: '/work', ...options })
const ENDPOINT = { baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'secret' }
const ID = '11111111-2222-4333-8444-555555555555'

test('a live run speaks ACP and gets its prompt by the protocol', () => {
  const { args, stdin } = build({ model: 'gpt-5.4', thinkingEffort: 'high' })
  const log = ['--log-dir={file:log}', '--log-level=warning']
  const flags = ['--no-auto-update', '--no-color', '--model=gpt-5.4', '--reasoning-effort=high']
  expect(args).toEqual(['--acp', ...log, ...flags])
  expect(stdin).toBeUndefined()
})

test('a one-shot run reads its prompt from stdin', () => {
  const { args, stdin } = build({ nonInteractive: true, sessionId: ID, approvalMode: 'yolo' })
  expect(args).toEqual(['--output-format=json', `--resume=${ID}`, '--no-auto-update', '--no-color', '--allow-all'])
  expect(stdin).toBe('do it')
})

test('a session id can be chosen one-shot only, and must be a UUID', () => {
  expect(build({ newSessionId: ID }).args).toContain(`--session-id=${ID}`)
  expect(build({ newSessionId: ID }).args).not.toContain('--acp')
  expect(() => build({ newSessionId: 'mine' })).toThrow('UUID')
})

test('the mode deny forbids commands that the CLI takes for harmless, too', () => {
  expect(build({ approvalMode: 'deny' }).args).toEqual(
    expect.arrayContaining(['--deny-tool=write', '--deny-tool=shell']),
  )
})

test('MCP servers are in a file, because they hold secrets', () => {
  const { args, files } = build({ mcpServers: [{ name: 'a', command: 'b', env: { KEY: 'secret' } }] })
  expect(args).toContain('--additional-mcp-config=@{file:mcp.json}')
  expect(files?.[0]?.content).toContain('"secret"')
  expect(args.join(' ')).not.toContain('secret')
})

test('an endpoint is set by variables, for three protocols, and needs a model', () => {
  expect(build({ endpoint: ENDPOINT, model: 'm' }).env).toMatchObject({
    COPILOT_PROVIDER_TYPE: 'openai',
    COPILOT_PROVIDER_WIRE_API: 'completions',
    COPILOT_PROVIDER_API_KEY: 'secret',
    COPILOT_OFFLINE: 'true',
  })
  const anthropic = build({ endpoint: { ...ENDPOINT, protocol: 'anthropic' }, model: 'm' })
  expect(anthropic.env.COPILOT_PROVIDER_TYPE).toBe('anthropic')
  expect(() => build({ endpoint: ENDPOINT })).toThrow('model')
  expect(() => build({ endpoint: { ...ENDPOINT, protocol: 'gemini' }, model: 'm' })).toThrow('gemini')
})

test('a rule can be denied, a tool left out', () => {
  const { args } = build({ disallowedTools: ['bash', 'shell(git push)'], allowedTools: ['write'] })
  expect(args).toEqual(
    expect.arrayContaining(['--excluded-tools=bash', '--deny-tool=shell(git push)', '--allow-tool=write']),
  )
})

test('what the CLI cannot do is refused', () => {
  expect(() => build({ forkSessionId: ID })).toThrow('sessionFork')
  expect(() => build({ noSession: true })).toThrow('noSession')
})

test('a live run with a budget asks for each call, which waits until its request is counted', () => {
  expect(build({ approvalMode: 'yolo' }).args).toContain('--allow-all')
  expect(build({ approvalMode: 'yolo', maxCostUsd: 1 }).args).not.toContain('--allow-all')
  expect(build({ approvalMode: 'yolo', maxCostUsd: 1, nonInteractive: true }).args).toContain('--allow-all')
})
