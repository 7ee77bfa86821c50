import { describe, expect, it } from 'vitest'
import { CapabilityError, ValidationError } from '../../contract/errors.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { endpointOverride } from './args.ts'
import adapter from './index.ts'

const build = (options: Partial<RunOptions> = {}) =>
  adapter.buildSpawnArgs({ prompt: 'hello', cwd: '/workspace', ...options })
const argsOf = (options: Partial<RunOptions>) => build({ approvalMode: 'yolo', ...options }).args

const ID = 'aaaaaaaa-bbbb-4ccc-8ddd-000000000001'

describe('the two forms', () => {
  it('is live by default: no prompt on the command line, stdin stays open', () => {
    const spawn = build()
    expect(spawn.command).toBe('qwen')
    expect(spawn.args).toEqual([
      '--output-format=stream-json',
      '--include-partial-messages',
      '--input-format=stream-json',
      '--approval-mode=default',
    ])
    expect(spawn.stdin).toBeUndefined()
  })

  it('is one-shot where nobody can be asked: the prompt goes through stdin', () => {
    const spawn = build({ prompt: ['one', 'two'], nonInteractive: true })
    expect(spawn.args).not.toContain('--input-format=stream-json')
    expect(spawn).toMatchObject({ stdin: 'one\n\ntwo', closeStdinAfterSpawn: true })
  })

  it('gives its own flag a schema only in the one-shot form: the CLI refuses it in the live one', () => {
    const outputSchema = { type: 'object' }
    expect(build({ outputSchema, nonInteractive: true }).args).toContain('--json-schema={"type":"object"}')
    const live = build({ outputSchema }).args
    expect(live).toContain('--input-format=stream-json')
    expect(live.join(' ')).not.toContain('schema')
  })
})

describe('options', () => {
  it.each<[Partial<RunOptions>, string]>([
    [{ model: 'qwen3-coder-plus' }, '--model=qwen3-coder-plus'],
    [{ maxTurns: 3 }, '--max-session-turns=3'],
    [{ addDirs: ['/a'] }, '--add-dir=/a'],
    [{ allowedTools: ['Bash(echo *)'] }, '--allowed-tools=Bash(echo *)'],
    [{ disallowedTools: ['web_fetch'] }, '--exclude-tools=web_fetch'],
    [{ newSessionId: ID }, `--session-id=${ID}`],
    [{ sessionId: ID }, `--resume=${ID}`],
    [{ forkSessionId: ID }, '--fork-session'],
    [{ noSession: true }, '--chat-recording=false'],
    [{ systemPrompt: '-x' }, '--append-system-prompt=-x'],
    [{ systemPrompt: 'x', systemPromptMode: 'replace' }, '--system-prompt=x'],
    [{ approvalMode: 'accept-edits' }, '--approval-mode=auto-edit'],
    [{ approvalMode: 'deny' }, '--approval-mode=plan'],
  ])('%j', (options, flag) => {
    expect(argsOf(options)).toContain(flag)
  })

  it('puts what no flag can say below the settings of the user', () => {
    const path = { QWEN_CODE_SYSTEM_DEFAULTS_PATH: '{file:system-defaults.json}' }
    expect(build().env).toEqual({ QWEN_DEBUG_LOG_FILE: '1' })
    expect(build({ approvalMode: 'deny' })).toMatchObject({
      env: path,
      files: [{ content: '{"permissions":{"ask":["Edit","Bash","WebFetch","mcp__*"]}}' }],
    })
    expect(build({ thinkingEffort: 'high' }).files).toEqual([])
    expect(build({ thinkingEffort: 'high', nonInteractive: true })).toMatchObject({
      env: path,
      files: [{ content: '{"model":{"generationConfig":{"reasoning":{"effort":"high"}}}}' }],
    })
  })

  it('hands MCP servers over in a file', () => {
    const { args, files } = build({
      mcpServers: [
        { name: 'a', command: 'run', args: ['x'], env: { KEY: 'secret' } },
        { name: 'b', transport: 'sse', url: 'http://b', headers: { token: 't' } },
        { name: 'c', transport: 'streamable-http', url: 'http://c' },
      ],
    })
    expect(args).toContain('--mcp-config={file:mcp.json}')
    expect(JSON.parse(files?.[0]?.content ?? '')).toEqual({
      mcpServers: {
        a: { command: 'run', args: ['x'], env: { KEY: 'secret' } },
        b: { url: 'http://b', headers: { token: 't' } },
        c: { httpUrl: 'http://c' },
      },
    })
  })

  it('mentions attached files', () => {
    const { stdin } = build({ nonInteractive: true, attachments: [{ filePath: '/w/a file (1).txt' }] })
    expect(stdin).toBe('hello\n\n@/w/a\\ file\\ \\(1\\).txt')
  })

  it.each<Partial<RunOptions>>([
    { systemPrompt: 'x', systemPromptMode: 'prepend' },
    { thinkingBudgetTokens: 1 },
    { thinkingOverride: {} },
    { skills: ['x'] },
    { agentsDoc: 'x' },
    { attachments: [{ base64: 'eA==', mimeType: 'image/png' }] },
    { endpoint: { baseUrl: 'http://x', apiKey: 'k', protocol: 'anthropic' } },
  ])('refuses %j', (options) => {
    expect(() => build(options)).toThrow(CapabilityError)
  })

  it.each<Partial<RunOptions>>([
    { newSessionId: 'x' },
    { newSessionId: ID, sessionId: ID },
    { attachments: [{ filePath: 'a\nb' }] },
  ])('rejects %j', (options) => {
    expect(() => build(options)).toThrow(ValidationError)
  })
})

describe('endpoint', () => {
  it('has the key in the environment only', () => {
    const endpoint = { baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'secret' }
    const { env, args } = endpointOverride(endpoint)
    expect(env).toMatchObject({ OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', OPENAI_API_KEY: 'secret' })
    expect(args).toEqual(['--auth-type=openai'])
    expect(build({ endpoint }).args.join(' ')).not.toContain('secret')
    expect(build({ endpoint, env: { OPENAI_API_KEY: 'other' } }).env.OPENAI_API_KEY).toBe('other')
  })
})
