import { describe, expect, it } from 'vitest'
import { CapabilityError } from '../../contract/errors.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import adapter from './index.ts'

const build = (options: Partial<RunOptions> = {}) =>
  adapter.buildSpawnArgs({ prompt: 'hello', cwd: '/workspace', ...options })
const fileOf = (options: Partial<RunOptions>, name: string) =>
  build(options).files?.find((file) => file.name === name)?.content

describe('the two forms', () => {
  it('is live by default: no prompt on the command line, stdin stays open', () => {
    expect(build()).toMatchObject({ command: 'omp', args: ['--mode=rpc-ui', '--allow-home'], files: [] })
    expect(build().stdin).toBeUndefined()
  })

  it('is one-shot on demand: the prompt goes through stdin, which is closed', () => {
    const spawn = build({ nonInteractive: true, prompt: ['one', 'two'] })
    expect(spawn).toMatchObject({ args: ['--mode=json', '--allow-home'], stdin: 'one\n\ntwo' })
    expect(spawn.closeStdinAfterSpawn).toBe(true)
  })
})

describe('options', () => {
  it.each<[Partial<RunOptions>, string[]]>([
    [{ model: 'openai/gpt-5.5' }, ['--model=openai/gpt-5.5']],
    [{ sessionId: 's' }, ['--resume=s']],
    [{ forkSessionId: 's' }, ['--fork=s']],
    [{ noSession: true }, ['--no-session']],
    [{ thinkingEffort: 'high' }, ['--thinking=high']],
    [{ approvalMode: 'prompt' }, ['--approval-mode=always-ask']],
    [{ approvalMode: 'accept-edits' }, ['--approval-mode=write']],
    [{ approvalMode: 'yolo' }, ['--approval-mode=yolo']],
    [{ approvalMode: 'deny' }, ['--approval-mode=always-ask']],
    [{ addDirs: ['/a', 'b'] }, ['--add-dir=/a', '--add-dir=/workspace/b']],
    [{ allowedTools: ['read', 'glob'] }, ['--tools=read,glob']],
    [{ disallowedTools: ['bash'] }, ['--config={file:config.yml}']],
    [{ systemPrompt: 'x' }, ['--append-system-prompt', '{file:system-prompt.md}']],
  ])('%j', (options, flags) => {
    expect(build(options).args).toEqual(['--mode=rpc-ui', '--allow-home', ...flags])
  })

  it.each<Partial<RunOptions>>([{ agentsDoc: 'x' }, { newSessionId: 'x' }, { skills: ['x'] }])(
    'refuses %j',
    (options) => {
      expect(() => build(options)).toThrow(CapabilityError)
    },
  )

  it('forbids tools by a setting of the run', () => {
    expect(fileOf({ disallowedTools: ['bash'] }, 'config.yml')).toBe('{"tools":{"approval":{"bash":"deny"}}}')
  })
})

describe('what comes with files', () => {
  it('makes the run its own plugin for MCP servers, and waits for their tools', () => {
    const options: Partial<RunOptions> = { mcpServers: [{ name: 'My-Tiny', command: 'node' }] }
    expect(build(options).args).toEqual(expect.arrayContaining(['--plugin-dir', '{file:.mcp.json}/..']))
    expect(fileOf(options, '.mcp.json')).toBe('{"mcpServers":{"My-Tiny":{"command":"node","args":[]}}}')
    expect(fileOf(options, 'plugin.json')).toBe('{"name":"amux"}')
    expect(fileOf(options, 'config.yml')).toBe('{"tools":{"xdev":false}}')
    expect(fileOf(options, 'agent-mux.mjs')).toContain('["mcp__amux_my_tiny_"].every(isThere)')
  })

  it('adds the endpoint as a provider, for helper tasks too', () => {
    const endpoint = { baseUrl: 'http://127.0.0.1:1', apiKey: 'sk-secret' }
    const spawn = build({ endpoint, model: 'mine' })
    expect(spawn.args).toEqual(expect.arrayContaining(['--model=amux/mine', '--smol=amux/mine', '--slow=amux/mine']))
    expect(spawn.env).toMatchObject({ AMUX_ENDPOINT_KEY: 'sk-secret' })
    expect(JSON.stringify([spawn.args, spawn.files])).not.toContain('sk-secret')
  })
})
