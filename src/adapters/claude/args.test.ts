import { describe, expect, it } from 'vitest'
import { CapabilityError, ValidationError } from '../../contract/errors.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { endpointOverride } from './args.ts'
import adapter from './index.ts'

const build = (options: Partial<RunOptions> = {}) =>
  adapter.buildSpawnArgs({ prompt: 'hello', cwd: '/workspace', ...options })
const argsOf = (options: Partial<RunOptions>) => build(options).args

const ID = 'aaaaaaaa-bbbb-4ccc-8ddd-000000000001'

describe('the two forms', () => {
  it('is live by default: no prompt on the command line, stdin stays open', () => {
    const spawn = build()
    expect(spawn.command).toBe('claude')
    expect(spawn.args).toEqual([
      '-p',
      '--output-format=stream-json',
      '--verbose',
      '--include-partial-messages',
      '--input-format=stream-json',
      '--permission-prompt-tool=stdio',
      '--replay-user-messages',
    ])
    expect(spawn.stdin).toBeUndefined()
    expect(spawn.closeStdinAfterSpawn).toBeUndefined()
    expect(spawn.usePty).toBe(false)
  })

  it('is one-shot on demand: the prompt goes through stdin, which is closed', () => {
    const spawn = build({ nonInteractive: true, prompt: ['one', 'two'] })
    expect(spawn.args).toEqual(['-p', '--output-format=stream-json', '--verbose', '--include-partial-messages'])
    expect(spawn.stdin).toBe('one\n\ntwo')
    expect(spawn.closeStdinAfterSpawn).toBe(true)
  })

  it('asks for no deltas when nothing is to be streamed', () => {
    expect(argsOf({ stream: false })).not.toContain('--include-partial-messages')
  })
})

describe('options', () => {
  it.each<[Partial<RunOptions>, string[]]>([
    [{ model: 'sonnet' }, ['--model=sonnet']],
    [{ thinkingEffort: 'xhigh' }, ['--effort=xhigh']],
    [{ maxTurns: 3 }, ['--max-turns=3']],
    [{ outputSchema: { type: 'object' } }, ['--json-schema={"type":"object"}']],
    [{ addDirs: ['/a', '/b'] }, ['--add-dir=/a', '--add-dir=/b']],
    [{ allowedTools: ['Bash(echo *)', 'Read'] }, ['--allowedTools=Bash(echo *)', '--allowedTools=Read']],
    [{ disallowedTools: ['WebSearch'] }, ['--disallowedTools=WebSearch']],
    [{ newSessionId: ID }, [`--session-id=${ID}`]],
    [{ sessionId: ID }, [`--resume=${ID}`]],
    [{ forkSessionId: ID }, [`--resume=${ID}`, '--fork-session']],
    [{ noSession: true }, ['--no-session-persistence']],
    [{ approvalMode: 'prompt' }, []],
    [{ approvalMode: 'accept-edits' }, ['--permission-mode=acceptEdits']],
    [{ approvalMode: 'yolo' }, ['--dangerously-skip-permissions']],
    [{ approvalMode: 'deny' }, ['--permission-mode=dontAsk', '--setting-sources=']],
  ])('%j', (options, flags) => {
    expect(argsOf(options)).toEqual([...argsOf({}), ...flags])
  })

  it('lets nothing the caller gives be mistaken for a flag', () => {
    const hostile = '--dangerously-skip-permissions'
    const args = argsOf({
      prompt: hostile,
      model: hostile,
      systemPrompt: hostile,
      sessionId: hostile,
      addDirs: [hostile],
      allowedTools: [hostile],
      disallowedTools: [hostile],
    })
    expect(args).not.toContain(hostile)
  })

  it('gives the system prompt as a file, and lifts the snapshot when it resumes', () => {
    const spawn = build({ systemPrompt: 'Be brief.' })
    expect(spawn.args).toEqual(expect.arrayContaining(['--append-system-prompt-file', '{file:system-prompt.txt}']))
    expect(spawn.files).toEqual([{ name: 'system-prompt.txt', content: 'Be brief.' }])
    expect(argsOf({ systemPrompt: 'x', systemPromptMode: 'replace' })).toContain('--system-prompt-file')
    expect(argsOf({ systemPrompt: 'x' })).not.toContain('--system-prompt-snapshot=off')
    expect(argsOf({ systemPrompt: 'x', sessionId: ID })).toContain('--system-prompt-snapshot=off')
    expect(argsOf({ systemPrompt: 'x', forkSessionId: ID })).toContain('--system-prompt-snapshot=off')
  })

  it('keeps the secrets of MCP servers off the command line', () => {
    const spawn = build({
      mcpServers: [
        { name: 'local', command: 'node', args: ['server.js'], env: { TOKEN: 'secret' } },
        { name: 'remote', transport: 'streamable-http', url: 'https://x.test', headers: { Authorization: 'secret' } },
        { name: 'events', transport: 'sse', url: 'https://y.test' },
      ],
    })
    expect(spawn.args.join(' ')).not.toContain('secret')
    expect(spawn.args[spawn.args.indexOf('{file:mcp.json}') + 1]).toMatch(/^--/)
    expect(JSON.parse(spawn.files?.[0]?.content ?? '')).toEqual({
      mcpServers: {
        local: { command: 'node', args: ['server.js'], env: { TOKEN: 'secret' } },
        remote: { type: 'http', url: 'https://x.test', headers: { Authorization: 'secret' } },
        events: { type: 'sse', url: 'https://y.test' },
      },
    })
  })

  it('limits the output by its variable', () => {
    expect(build({ maxOutputTokens: 777 }).env).toEqual({ CLAUDE_CODE_MAX_OUTPUT_TOKENS: '777' })
    expect(build({ maxTokens: 5, env: { CLAUDE_CODE_MAX_OUTPUT_TOKENS: '6' } }).env).toEqual({
      CLAUDE_CODE_MAX_OUTPUT_TOKENS: '6',
    })
  })

  it.each<Partial<RunOptions>>([
    { thinkingBudgetTokens: 1000 },
    { thinkingOverride: {} },
    { systemPrompt: 'x', systemPromptMode: 'prepend' },
    { attachments: [{ base64: 'x', mimeType: 'text/plain' }] },
    { attachments: [{ base64: 'x', mimeType: 'image/png' }], nonInteractive: true },
  ])('refuses %j', (options) => {
    expect(() => build(options)).toThrow(CapabilityError)
  })

  it.each<Partial<RunOptions>>([
    { newSessionId: 'mine' },
    { newSessionId: ID, sessionId: ID },
    { attachments: [{ filePath: 'a"b' }] },
  ])('rejects %j', (options) => {
    expect(() => build(options)).toThrow(ValidationError)
  })

  it('takes a new id for a fork', () => {
    expect(argsOf({ forkSessionId: ID, newSessionId: ID })).toEqual(expect.arrayContaining([`--session-id=${ID}`]))
  })
})

describe('endpoint', () => {
  const endpoint = { baseUrl: 'http://127.0.0.1:1', apiKey: 'key' }

  it('points the CLI there, quietly, and shuts out other credentials', () => {
    const plan = endpointOverride(endpoint)
    expect(plan.env).toMatchObject({
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
      ANTHROPIC_API_KEY: 'key',
      ANTHROPIC_AUTH_TOKEN: '',
      CLAUDE_CODE_OAUTH_TOKEN: '',
      CLAUDE_CODE_USE_BEDROCK: '',
      DISABLE_TELEMETRY: '1',
    })
    expect(build({ endpoint }).env).toEqual(plan.env)
  })
})
