import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RunOptions } from '../../contract/run-options.ts'
import adapter from './index.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'amux-gemini-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const build = (options: Partial<RunOptions>) =>
  adapter.buildSpawnArgs({ prompt: 'do it', cwd: '/work', ...options, env: { HOME: home, ...options.env } })

const ENDPOINT = { baseUrl: 'http://127.0.0.1:1', apiKey: 'secret' }
const ID = '11111111-2222-4333-8444-555555555555'

function writeSession(name: string, content = `{"sessionId":"${ID}"}\n`): string {
  const directory = join(home, '.gemini/tmp/project/chats')
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, name), content)
  return join(directory, name)
}

test('a live run speaks ACP and gets its prompt by the protocol', () => {
  const { args, stdin } = build({ model: 'gemini-2.5-pro' })
  expect(args).toEqual(['--acp', '--skip-trust', '--model=gemini-2.5-pro'])
  expect(stdin).toBeUndefined()
})

test('a one-shot run reads its prompt from stdin', () => {
  const { args, stdin, closeStdinAfterSpawn } = build({ nonInteractive: true, approvalMode: 'yolo' })
  expect(args).toEqual(['--output-format=stream-json', '--approval-mode=yolo', '--skip-trust'])
  expect([stdin, closeStdinAfterSpawn]).toEqual(['do it', true])
})

test('a one-shot run to another endpoint or with MCP servers takes the protocol, too', () => {
  expect(build({ nonInteractive: true, endpoint: ENDPOINT }).args[0]).toBe('--acp')
  expect(build({ nonInteractive: true, mcpServers: [{ name: 'a', command: 'b' }] }).args[0]).toBe('--acp')
})

test('the key of an endpoint is in the environment only', () => {
  const { args, env } = build({ endpoint: ENDPOINT })
  expect(env).toMatchObject({ GEMINI_API_KEY: 'secret', GOOGLE_GEMINI_BASE_URL: ENDPOINT.baseUrl })
  expect(args.join(' ')).not.toContain('secret')
})

test('an endpoint is refused while the settings choose a Google account', () => {
  mkdirSync(join(home, '.gemini'))
  writeFileSync(join(home, '.gemini/settings.json'), '{"security":{"auth":{"selectedType":"oauth-personal"}}}')
  expect(() => build({ endpoint: ENDPOINT })).toThrow('oauth-personal')
})

test('tools are allowed and forbidden by a policy of the run', () => {
  const { args, files } = build({ allowedTools: ['glob'], disallowedTools: ['run_shell_command'] })
  expect(args).toContain('--policy={file:policy.toml}')
  expect(files?.[0]?.content).toContain('toolName = "run_shell_command"\ndecision = "deny"')
})

test('a system prompt replaces by a file, and is added before the prompt', () => {
  const replaced = build({ systemPrompt: 'Be brief.', systemPromptMode: 'replace', nonInteractive: true })
  expect(replaced.env.GEMINI_SYSTEM_MD).toBe('{file:system.md}')
  expect(replaced.stdin).toBe('do it')
  expect(build({ systemPrompt: 'Be brief.', nonInteractive: true }).stdin).toContain('Be brief.')
})

test('a resume works on a copy, whose name neither sorts after nor ends like that of the transcript', () => {
  writeSession('session-2026-11-15T19-05-11111111.jsonl')
  const file = writeSession('session-2026-11-15T19-04-11111111.jsonl', `{"sessionId":"${ID}"}\n{"id":"1"}\n`)
  const plan = build({ sessionId: ID }).workingCopy
  expect(plan?.original).toBe(file)
  const name = basename(plan?.copy ?? '')
  expect(name).toMatch(/^session-0-2026-11-15T19-04-11111111-[0-9a-f]{8}\.jsonl$/)
  // One that a killed run has left is found by its own name, and its original with it.
  rmSync(file)
  writeSession(name, `{"sessionId":"${ID}"}\n{"id":"1"}\n`)
  expect(build({ sessionId: ID }).workingCopy).toEqual(plan)
  expect(build({ prompt: 'x' }).workingCopy).toBeUndefined()
})

test('a fork takes the transcript, and fails when there is none', () => {
  const file = writeSession('session-2026-11-15T19-04-11111111.jsonl')
  expect(build({ forkSessionId: ID }).args).toContain(`--session-file=${file}`)
  expect(() => build({ forkSessionId: '22222222-2222-4333-8444-555555555555' })).toThrow('There is no Gemini session')
})

test('what the CLI cannot do is refused', () => {
  expect(() => build({ thinkingEffort: 'xhigh' })).toThrow('thinkingEffort')
  expect(() => build({ addDirs: ['a,b'] })).toThrow('commas')
})

test('commands run in pipes over ACP, whose results leave out the cells of a pseudo terminal', () => {
  expect(build({}).env).toMatchObject({ GEMINI_PTY_INFO: 'child_process' })
  expect(build({ nonInteractive: true }).env).not.toHaveProperty('GEMINI_PTY_INFO')
})
