import { describe, expect, test } from 'vitest'
import { CapabilityError } from '../../contract/errors.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { endpointOverride } from './args.ts'
import adapter from './index.ts'

const FLAGS = ['agent', 'exec', '--json', '--message-file=-', '--timeout=0', '--state-dir={file:state}']
const build = (options: Partial<RunOptions> = {}) => adapter.buildSpawnArgs({ prompt: 'do it', cwd: '/w', ...options })
const endpoint = { baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'KEY' }

test('one isolated turn, the prompt by stdin', () => {
  expect(build({ prompt: ['--help', '$(id)'] })).toMatchObject({
    command: 'openclaw',
    args: FLAGS,
    stdin: '--help\n\n$(id)',
    closeStdinAfterSpawn: true,
    usePty: false,
    cwd: '/w',
    files: [{ name: expect.stringMatching(/^state\//) }],
    usageStore: expect.stringMatching(/^\{file:state\}\//),
  })
})

test.each<[Partial<RunOptions>, string[]]>([
  [{ model: 'anthropic/claude-sonnet-5' }, ['--model=anthropic/claude-sonnet-5']],
  [{ thinkingEffort: 'max' }, ['--thinking=max']],
  [{ approvalMode: 'yolo', noSession: true }, []],
])('%j', (options, flags) => {
  expect(build(options).args).toEqual([...FLAGS, ...flags])
})

test.each<Partial<RunOptions>>([
  { sessionId: 's' },
  { forkSessionId: 's' },
  { newSessionId: 's' },
  { approvalMode: 'deny' },
  { approvalMode: 'accept-edits' },
  { systemPrompt: 'x', systemPromptMode: 'replace' },
  { mcpServers: [{ name: 'x', command: 'y' }] },
  { disallowedTools: ['exec'] },
])('refuses %j', (options) => {
  expect(() => build(options)).toThrow(CapabilityError)
})

test('a system prompt goes before the prompt', () => {
  expect(build({ systemPrompt: 'be brief' }).stdin).toBe(
    '<system_instructions>\nbe brief\n</system_instructions>\n\ndo it',
  )
})

test('silence has a limit, which the caller may change', () => {
  expect(build().inactivityTimeout).toBe(600_000)
  expect(build({ inactivityTimeout: 5 }).inactivityTimeout).toBe(5)
})

describe('an endpoint of the caller', () => {
  const config = (options: Partial<RunOptions>) => JSON.parse(build(options).files?.[0]?.content ?? '')

  test('comes in a configuration of the run, without the key on the command line or in the environment', () => {
    const { args, env } = build({ endpoint, model: 'gpt-5.5' })
    expect(args).toEqual([...FLAGS, '--config={file:openclaw.json}', '--model=agent-mux/gpt-5.5'])
    expect(JSON.stringify([args, env])).not.toContain('KEY')
    const provider = config({ endpoint, model: 'gpt-5.5' }).models.providers['agent-mux']
    expect(provider).toMatchObject({ baseUrl: endpoint.baseUrl, apiKey: 'KEY', api: 'openai-completions' })
    expect(provider.models).toMatchObject([{ id: 'gpt-5.5' }])
  })

  test('may speak any of the four protocols', () => {
    const api = (protocol: NonNullable<RunOptions['endpoint']>['protocol']) =>
      config({ endpoint: { ...endpoint, protocol } }).models.providers['agent-mux'].api
    expect([api('anthropic'), api('gemini'), api('openai-responses')]).toEqual([
      'anthropic-messages',
      'google-generative-ai',
      'openai-responses',
    ])
  })

  test('its key is taken as it is', () => {
    const { models } = config({ endpoint: { ...endpoint, apiKey: `a\${HOME}b` } })
    expect(models.providers['agent-mux'].apiKey).toBe('a$$' + '{HOME}b')
    expect(config({ endpoint: { ...endpoint, apiKey: '' } }).models.providers['agent-mux'].apiKey).toBeUndefined()
  })

  test('without a model, one of its own', () => {
    expect(endpointOverride(endpoint).files[0]?.content).toContain('"primary":"agent-mux/')
  })
})
