import { expect, test } from 'vitest'
import { CapabilityError, ValidationError } from '../../contract/errors.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { endpointOverride, usesStream } from './args.ts'
import adapter from './index.ts'

const build = (options: Partial<RunOptions> = {}) =>
  adapter.buildSpawnArgs({ agent: 'grok', prompt: 'p', cwd: '/w', ...options })

test('a live run is ACP without the shared leader', () => {
  expect(build({ model: 'm', thinkingEffort: 'high', approvalMode: 'yolo' }).args).toEqual([
    'agent',
    '--no-leader',
    '--model=m',
    '--reasoning-effort=high',
    '--always-approve',
    'stdio',
  ])
})

test('a one-shot run reads its prompt from a file', () => {
  const { args, files, closeStdinAfterSpawn } = build({ nonInteractive: true, prompt: '--help' })
  expect(args).toEqual(['--prompt-file={file:prompt.txt}', '--output-format=streaming-json'])
  expect(files).toEqual([{ name: 'prompt.txt', content: '--help' }])
  expect(closeStdinAfterSpawn).toBe(true)
})

test.each<[Partial<RunOptions>, string[]]>([
  [{ forkSessionId: 's' }, ['--resume=s', '--fork-session']],
  [{ nonInteractive: true, sessionId: 's' }, ['--resume=s']],
  [{ maxTurns: 3 }, ['--max-turns=3']],
  [{ nonInteractive: true, outputSchema: { type: 'object' } }, ['--json-schema={"type":"object"}']],
  [{ allowedTools: ['Read'], disallowedTools: ['Bash'] }, ['--allow=Read', '--deny=Bash']],
  [{ nonInteractive: true, approvalMode: 'deny' }, ['--permission-mode=dontAsk']],
  [{ nonInteractive: true, systemPrompt: 'x' }, ['--rules=x']],
  [{ nonInteractive: true, systemPrompt: 'x', systemPromptMode: 'replace' }, ['--system-prompt-override=x']],
])('%j', (options, flags) => {
  expect(build(options).args).toEqual(expect.arrayContaining(flags))
})

test('what only one of the wires can decides which one is spoken', () => {
  const given = (options: Partial<RunOptions>) => usesStream({ prompt: 'p', ...options })
  expect(given({})).toBe(false)
  expect(given({ nonInteractive: true })).toBe(true)
  // Its own schema is one of the stream only, which takes no second turn to fix an answer.
  expect(given({ outputSchema: {} })).toBe(false)
  expect(given({ nonInteractive: true, approvalMode: 'accept-edits' })).toBe(false)
  expect(given({ newSessionId: 'x' })).toBe(true)
})

test.each<Partial<RunOptions>>([
  { noSession: true },
  { addDirs: ['/x'] },
  { thinkingBudgetTokens: 1 },
  { maxTurns: 1, approvalMode: 'accept-edits' },
  { maxTurns: 1, mcpServers: [{ name: 'x', command: 'y' }] },
  { systemPrompt: 'x', systemPromptMode: 'prepend' },
])('refuses %j', (options) => {
  expect(() => build(options)).toThrow(CapabilityError)
})

test('the id of a new session is a UUID', () => {
  expect(() => build({ newSessionId: 'x' })).toThrow(ValidationError)
})

test('an endpoint is set by variables', () => {
  const { env, args } = endpointOverride({ baseUrl: 'http://x/v1', apiKey: 'k' })
  expect(env).toMatchObject({ GROK_MODELS_BASE_URL: 'http://x/v1', XAI_API_KEY: 'k' })
  expect(args).toEqual([])
})
