import { expect, test } from 'vitest'
import { CapabilityError } from '../../contract/errors.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { endpointOverride } from './args.ts'
import adapter from './index.ts'

const build = (options: Partial<RunOptions> = {}) =>
  adapter.buildSpawnArgs({ agent: 'continue', prompt: '--help', cwd: '/w', ...options })

test('the prompt is the last argument, whatever it looks like, and stdin is closed', () => {
  const { command, args, closeStdinAfterSpawn, inactivityTimeout } = build()
  expect([command, ...args]).toEqual(['cn', '-p', '--verbose', '--', '--help'])
  expect(closeStdinAfterSpawn).toBe(true)
  expect(inactivityTimeout).toBe(600_000)
  expect(build({ inactivityTimeout: 5 }).inactivityTimeout).toBe(5)
})

test.each<[Partial<RunOptions>, string[]]>([
  [{ approvalMode: 'yolo' }, ['--auto']],
  [{ approvalMode: 'deny' }, ['--readonly']],
  [{ approvalMode: 'yolo', disallowedTools: ['Bash'] }, ['--allow', '*', '--exclude', 'Bash']],
  [{ model: 'owner/model' }, ['--model', 'owner/model']],
  [{ systemPrompt: 'Be brief.' }, ['--rule', 'Be brief.']],
  [{ forkSessionId: 's' }, ['--fork', 's']],
  [{ allowedTools: ['Read'], disallowedTools: ['Bash'] }, ['--allow', 'Read', '--exclude', 'Bash']],
])('%j', (options, flags) => {
  expect(build(options).args).toEqual(['-p', '--verbose', ...flags, '--', '--help'])
})

test.each<Partial<RunOptions>>([
  { sessionId: 's' },
  { newSessionId: 's' },
  { noSession: true },
  { thinkingEffort: 'high' },
  { approvalMode: 'accept-edits' },
  { systemPrompt: 'x', systemPromptMode: 'replace' },
  { mcpServers: [{ name: 'x', command: 'y' }] },
])('refuses %j', (options) => {
  expect(() => build(options)).toThrow(CapabilityError)
})

test('an endpoint is a configuration file of the run, with the key and the MCP servers in it', () => {
  const endpoint = { baseUrl: 'http://x/v1', apiKey: 'k' }
  const { args, files } = build({ endpoint, model: 'm', mcpServers: [{ name: 'tiny', command: 'node' }] })
  expect(args).toEqual(['-p', '--verbose', '--config', '{file:config.yaml}', '--', '--help'])
  const config = JSON.parse(files?.[0]?.content ?? '')
  expect(config.models[0]).toMatchObject({ provider: 'openai', model: 'm', apiBase: 'http://x/v1', apiKey: 'k' })
  expect(config.mcpServers).toEqual([{ name: 'tiny', command: 'node', args: [] }])
  expect(() => endpointOverride({ ...endpoint, protocol: 'openai-responses' })).toThrow(CapabilityError)
})
