import { parse } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import { CapabilityError, ValidationError } from '../../contract/errors.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { endpointOverride } from './args.ts'
import adapter from './index.ts'

const live = (options: Partial<RunOptions> = {}) => adapter.buildSpawnArgs({ prompt: 'do it', cwd: '/w', ...options })
const oneShot = (options: Partial<RunOptions> = {}) => live({ nonInteractive: true, ...options })
const after = (args: string[], flag: string) => args[args.indexOf(flag) + 1]

describe('the live form', () => {
  test('is the app server with an open stdin', () => {
    expect(live()).toMatchObject({ command: 'codex', args: ['app-server'], cwd: '/w', usePty: false })
    expect(live().stdin).toBeUndefined()
  })

  test('keeps prompts, system prompts and MCP secrets off the command line', () => {
    const { args } = live({
      systemPrompt: 'SYSTEM',
      mcpServers: [{ name: 'x', command: 'node', env: { TOKEN: 'SECRET' } }],
    })
    expect(args).toEqual(['app-server'])
  })

  test('adds directories as absolute writable roots', () => {
    expect(live({ addDirs: ['lib', '/data'] }).args).toEqual([
      'app-server',
      '-c',
      'sandbox_workspace_write.writable_roots=["/w/lib", "/data"]',
    ])
  })

  test('lets the agent ask questions only when somebody can answer', () => {
    const setting = 'features.default_mode_request_user_input=true'
    expect(live({ onInputRequired: () => 'yes' }).args).toContain(setting)
    expect(live({ keepOpen: true }).args).toContain(setting)
    expect(live().args).not.toContain(setting)
  })
})

describe('the one-shot form', () => {
  test('is exec with the prompt on a closed stdin', () => {
    expect(oneShot({ prompt: ['a', 'b'] })).toMatchObject({
      args: ['exec', '--json', '--skip-git-repo-check', '-'],
      stdin: 'a\n\nb',
      closeStdinAfterSpawn: true,
      files: [],
    })
  })

  test.each<[Partial<RunOptions>, string[]]>([
    [{ model: 'gpt-6-luna' }, ['--model', 'gpt-6-luna']],
    [{ approvalMode: 'deny' }, ['--sandbox', 'read-only']],
    [{ noSession: true }, ['--ephemeral']],
    [{ addDirs: ['x'] }, ['--add-dir', '/w/x']],
    [{ thinkingEffort: 'high' }, ['-c', 'model_reasoning_effort="high"']],
    [{ thinkingEffort: 'max', model: 'unheard-of' }, ['-c', 'model_reasoning_effort="max"']],
    [{ systemPrompt: 'Say "hi"\n' }, ['-c', 'developer_instructions="Say \\"hi\\"\\n"']],
    [
      { mcpServers: [{ name: 'x', command: 'node', args: ['a b'] }] },
      ['mcp_servers.x={ command = "node", args = ["a b"] }'],
    ],
    [
      { mcpServers: [{ name: 'h', transport: 'streamable-http', url: 'http://l' }] },
      ['mcp_servers.h={ url = "http://l" }'],
    ],
  ])('maps %j', (options, expected) => {
    expect(oneShot(options).args.join(' ')).toContain(expected.join(' '))
  })

  test('hands replaced instructions and schemas over in files', () => {
    const { args, files } = oneShot({
      systemPrompt: 'BASE',
      systemPromptMode: 'replace',
      outputSchema: { type: 'object' },
    })
    expect(args).toContain(`model_instructions_file='{file:instructions.md}'`)
    expect(after(args, '--output-schema')).toBe('{file:output-schema.json}')
    expect(files).toEqual([
      { name: 'instructions.md', content: 'BASE' },
      { name: 'output-schema.json', content: '{"type":"object"}' },
    ])
  })

  test('puts a prepended system prompt before the prompt', () => {
    const { stdin, args } = oneShot({ systemPrompt: 'PRE', systemPromptMode: 'prepend' })
    expect(stdin).toBe('<system_instructions>\nPRE\n</system_instructions>\n\ndo it')
    expect(args.join(' ')).not.toContain('PRE')
  })

  test.each<[string, Partial<RunOptions>]>([
    ['resume', { sessionId: 'id' }],
    ['fork', { forkSessionId: 'id' }],
    ['accept-edits', { approvalMode: 'accept-edits' }],
    ['yolo', { approvalMode: 'yolo' }],
    ['secrets of MCP servers', { mcpServers: [{ name: 'x', command: 'node', env: { TOKEN: 'SECRET' } }] }],
    ['images', { attachments: [{ filePath: '/a.png' }] }],
    ['a very long system prompt', { systemPrompt: 'x'.repeat(9000) }],
  ])('leaves %s to the app server', (_name, options) => {
    const { args, stdin } = oneShot(options)
    expect(args[0]).toBe('app-server')
    expect(args.join(' ')).not.toContain('SECRET')
    expect(stdin).toBeUndefined()
  })
})

describe('what codex cannot do', () => {
  test.each<Partial<RunOptions>>([
    { thinkingBudgetTokens: 1000 },
    { thinkingOverride: { x: 1 } },
    { newSessionId: 'id' },
    { allowedTools: ['shell'] },
    { disallowedTools: ['shell'] },
    { skills: ['x'] },
    { agentsDoc: 'x' },
    { attachments: [{ filePath: '/a.pdf' }] },
    { mcpServers: [{ name: 'x', transport: 'sse', url: 'http://l' }] },
    { endpoint: { baseUrl: 'http://l', apiKey: 'k', protocol: 'anthropic' } },
  ])('refuses %j', (options) => {
    expect(() => live(options)).toThrow(CapabilityError)
    expect(() => oneShot(options)).toThrow(CapabilityError)
  })

  test('refuses names of MCP servers that would break the key', () => {
    expect(() => live({ mcpServers: [{ name: 'a.b', command: 'node' }] })).toThrow(ValidationError)
  })
})

describe('another endpoint', () => {
  test.each(['http://l/v1', 'http://l', 'http://l/'])(
    '%s becomes a provider, the key stays in the environment',
    (baseUrl) => {
      const plan = endpointOverride({ baseUrl, apiKey: 'sk-secret' })
      expect(plan.env).toEqual({ AMUX_ENDPOINT_KEY: 'sk-secret' })
      expect(plan.args.join(' ')).not.toContain('sk-secret')
      expect(parse(`${plan.args[1]}\n${plan.args[3]}`)).toMatchObject({
        model_provider: 'amux',
        model_providers: { amux: { base_url: 'http://l/v1', env_key: 'AMUX_ENDPOINT_KEY', wire_api: 'responses' } },
      })
    },
  )

  test('is part of both forms', () => {
    const endpoint = { baseUrl: 'http://l', apiKey: 'k' }
    expect(live({ endpoint, env: { A: '1' } }).env).toEqual({ A: '1', AMUX_ENDPOINT_KEY: 'k' })
    expect(live({ endpoint }).args).toContain('model_provider="amux"')
    expect(oneShot({ endpoint }).args).toContain('model_provider="amux"')
    expect(oneShot({ endpoint }).args.at(-1)).toBe('-')
  })
})
