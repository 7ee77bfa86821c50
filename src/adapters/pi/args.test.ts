import { describe, expect, it } from 'vitest'
import { CapabilityError, ValidationError } from '../../contract/errors.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { endpointOverride } from './args.ts'
import adapter from './index.ts'

const build = (options: Partial<RunOptions> = {}) =>
  adapter.buildSpawnArgs({ prompt: 'hello', cwd: '/workspace', ...options })
const extensionOf = (options: Partial<RunOptions>) => {
  const { args, files } = build(options)
  expect(args.slice(-2)).toEqual(['-e', '{file:agent-mux.mjs}'])
  return files?.find(({ name }) => name === 'agent-mux.mjs')?.content ?? ''
}

describe('the two forms', () => {
  it('is live by default: no prompt on the command line, stdin stays open', () => {
    expect(build()).toMatchObject({ command: 'pi', args: ['--mode', 'rpc'], usePty: false, files: [] })
    expect(build().stdin).toBeUndefined()
  })

  it('is one-shot on demand: the prompt goes through stdin, which is closed', () => {
    const spawn = build({ nonInteractive: true, prompt: ['one', 'two'] })
    expect(spawn).toMatchObject({ args: ['--mode', 'json'], stdin: 'one\n\ntwo', closeStdinAfterSpawn: true })
  })
})

describe('options', () => {
  it.each<[Partial<RunOptions>, string[]]>([
    [{ model: 'openai/gpt-5.5' }, ['--model', 'openai/gpt-5.5']],
    [{ thinkingEffort: 'max' }, ['--thinking', 'max']],
    [{ sessionId: 's' }, ['--session', 's']],
    [{ forkSessionId: 's' }, ['--fork', 's']],
    [{ newSessionId: 's' }, ['--session-id', 's']],
    [{ noSession: true }, ['--no-session']],
    [{ allowedTools: ['read', 'ls'] }, ['--tools', 'read,ls']],
    [{ disallowedTools: ['bash'] }, ['--exclude-tools', 'bash']],
    [{ skills: ['/a', '/b'] }, ['--skill', '/a', '--skill', '/b']],
    [{ systemPrompt: 'x' }, ['--append-system-prompt', '{file:system-prompt.md}']],
    [{ systemPrompt: 'x', systemPromptMode: 'replace' }, ['--system-prompt', '{file:system-prompt.md}']],
    [{ approvalMode: 'yolo' }, []],
  ])('%j', (options, flags) => {
    expect(build(options).args).toEqual(['--mode', 'rpc', ...flags])
  })

  it('takes files on the command line of the one-shot form only, and images as data in the live form only', () => {
    expect(build({ nonInteractive: true, attachments: [{ filePath: '/a b.txt' }] }).args).toContain('@/a b.txt')
    expect(build({ attachments: [{ base64: 'A', mimeType: 'image/png' }] }).args).toEqual(['--mode', 'rpc'])
    expect(build({ attachments: [{ filePath: '/a' }] }).args).toEqual(['--mode', 'rpc'])
    expect(() => build({ attachments: [{ url: 'http://x' }] })).toThrow(CapabilityError)
    expect(() => build({ nonInteractive: true, attachments: [{ url: 'http://x' }] })).toThrow(CapabilityError)
  })

  it.each<Partial<RunOptions>>([
    { addDirs: ['/a'] },
    { agentsDoc: 'x' },
    { systemPrompt: 'x', systemPromptMode: 'prepend' },
    { mcpServers: [{ name: 'x', transport: 'sse', url: 'http://x' }] },
  ])('refuses %j', (options) => {
    expect(() => build(options)).toThrow(CapabilityError)
  })

  it('refuses a new id for a session that exists', () => {
    expect(() => build({ newSessionId: 'a', sessionId: 'b' })).toThrow(ValidationError)
  })
})

describe('the extension of a run', () => {
  it('asks before each call, but for what the mode allows', () => {
    const free = (mode: RunOptions['approvalMode']) => /new Set\((.*)\)/.exec(extensionOf({ approvalMode: mode }))?.[1]
    expect(free('prompt')).toBe('["read","grep","find","ls","tool_search"]')
    expect(free('deny')).toBe(free('prompt'))
    expect(free('accept-edits')).toContain('"edit","write"')
  })

  it('registers MCP servers, with their secrets in the file', () => {
    const content = extensionOf({ mcpServers: [{ name: 'tiny', command: 'node', env: { KEY: 'secret' } }] })
    expect(content).toContain('pi.registerMcpServer("tiny", {"command":"node","args":[],"env":{"KEY":"secret"}')
  })

  it('adds the endpoint as a provider, with the key in the environment only', () => {
    const endpoint = { baseUrl: 'http://127.0.0.1:1/', apiKey: 'sk-secret' }
    const spawn = build({ endpoint, model: 'mine' })
    expect(spawn.args.slice(0, 4)).toEqual(['--mode', 'rpc', '--model', 'amux/mine'])
    expect(spawn.env).toMatchObject({ AMUX_ENDPOINT_KEY: 'sk-secret', PI_OFFLINE: '1' })
    const content = extensionOf({ endpoint, model: 'mine' })
    expect(content).toContain('"baseUrl":"http://127.0.0.1:1/v1","api":"openai-completions","models":[{"id":"mine"')
    expect(JSON.stringify([spawn.args, spawn.files])).not.toContain('sk-secret')
  })

  it.each([
    ['anthropic', 'http://x/v1', '"baseUrl":"http://x","api":"anthropic-messages"'],
    ['openai-responses', 'http://x', '"baseUrl":"http://x/v1","api":"openai-responses"'],
    ['gemini', 'http://x', '"baseUrl":"http://x/v1beta","api":"google-generative-ai"'],
  ] as const)('speaks %s', (protocol, baseUrl, expected) => {
    expect(endpointOverride({ baseUrl, apiKey: 'k', protocol }).files[0]?.content).toContain(expected)
  })
})
