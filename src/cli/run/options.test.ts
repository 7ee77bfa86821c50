import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CapabilityError, ValidationError } from '../../contract/errors.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { validateOptions } from '../../engine/validate-options.ts'
import { GLOBAL_FLAGS, parseStrictly } from '../command.ts'
import { parseDuration } from '../duration.ts'
import { RUN_FLAGS } from './flags.ts'
import { inWordsOfFlags, runOptions } from './options.ts'
import { splitPrompt } from './prompt.ts'

function read(...argv: string[]): Partial<RunOptions> {
  const { values } = parseStrictly(argv, { ...RUN_FLAGS, ...GLOBAL_FLAGS }, 'run')
  const options = runOptions(values, { MY_KEY: 'secret' })
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

describe('flags become run options', () => {
  test.each<[string[], Partial<RunOptions>]>([
    [[], {}],
    [['-m', 'opus', '--debug'], { model: 'opus', debug: true }],
    [['--yolo'], { approvalMode: 'yolo' }],
    [['--deny'], { approvalMode: 'deny' }],
    [['--accept-edits'], { approvalMode: 'accept-edits' }],
    [['--stream'], { stream: true }],
    [['--no-stream'], { stream: false }],
    [['--session', 's1'], { sessionId: 's1' }],
    [['--fork', 's1', '--session-id', 's2'], { forkSessionId: 's1', newSessionId: 's2' }],
    [['--no-session'], { noSession: true }],
    [['--thinking-effort', 'xhigh', '--thinking-budget=2048'], { thinkingEffort: 'xhigh', thinkingBudgetTokens: 2048 }],
    [['--thinking-override', '{"a":1}'], { thinkingOverride: { a: 1 } }],
    [['--temperature', '0.5', '--top-p', '0.9', '--top-k', '3'], { temperature: 0.5, topP: 0.9, topK: 3 }],
    [['--max-tokens', '10', '--max-output-tokens', '20'], { maxTokens: 10, maxOutputTokens: 20 }],
    [
      ['--max-turns', '3', '--max-cost', '0.25', '--retries', '2'],
      { maxTurns: 3, maxCostUsd: 0.25, retryPolicy: { maxRetries: 2 } },
    ],
    [['--timeout', '5m', '--inactivity-timeout', '1500'], { timeout: 300_000, inactivityTimeout: 1500 }],
    [['--first-event-timeout', '0'], { firstEventTimeout: 0 }],
    [['--system', 'Be brief', '--system-mode', 'replace'], { systemPrompt: 'Be brief', systemPromptMode: 'replace' }],
    [['--cwd', 'src', '--add-dir', '/a', '--add-dir', 'b'], { cwd: resolve('src'), addDirs: ['/a', resolve('b')] }],
    [['--env', 'A=1', '--env', 'B=x=y', '--pass-env', 'C'], { env: { A: '1', B: 'x=y' }, passEnv: ['C'] }],
    [['--allow-tool', 'Bash', '--disallow-tool', 'Write'], { allowedTools: ['Bash'], disallowedTools: ['Write'] }],
    [['--tag', 'a', '--tag', 'b', '--project-id', 'p'], { tags: ['a', 'b'], projectId: 'p' }],
    [['--endpoint', 'http://x'], { endpoint: { baseUrl: 'http://x', apiKey: 'no-key' } }],
    [
      ['--endpoint', 'http://x', '--endpoint-key-env', 'MY_KEY'],
      { endpoint: { baseUrl: 'http://x', apiKey: 'secret' } },
    ],
    [['--output-schema', '{"type":"object"}'], { outputSchema: { type: 'object' } }],
    [['--attach', 'https://x.org/a.PNG?b'], { attachments: [{ url: 'https://x.org/a.PNG?b', mimeType: 'image/png' }] }],
    [
      ['--mcp-server', `fs=npx -y "@x/y" 'a b'`, '--mcp-server', 'web=https://x.org/mcp'],
      {
        mcpServers: [
          { name: 'fs', command: 'npx', args: ['-y', '@x/y', 'a b'] },
          { name: 'web', transport: 'streamable-http', url: 'https://x.org/mcp' },
        ],
      },
    ],
    [
      ['--mcp-server', '{"name":"s","transport":"sse","url":"http://x","headers":{"K":"v"}}'],
      { mcpServers: [{ name: 's', transport: 'sse', url: 'http://x', headers: { K: 'v' } }] },
    ],
  ])('%j', (argv, expected) => {
    expect(read(...argv)).toEqual(expected)
  })

  test('files are read where a flag names one', () => {
    const dir = mkdtempSync(join(tmpdir(), 'amux-flags-'))
    const file = join(dir, 'a.json')
    writeFileSync(file, '{"type":"object"}')
    expect(read('--output-schema', file)).toEqual({ outputSchema: { type: 'object' } })
    expect(read('--agents-doc', file)).toEqual({ agentsDoc: '{"type":"object"}' })
    expect(read('--attach', file)).toEqual({ attachments: [{ filePath: file }] })
  })

  test('what all flags give is valid', () => {
    const options = read('--yolo', '--session', 's', '--timeout', '1s', '--max-turns', '2', '--mcp-server', 'a=b')
    expect(() => validateOptions({ ...options, agent: 'claude', prompt: 'x' })).not.toThrow()
  })
})

test.each([
  [['--session', 'a', '--no-session'], '--session and --no-session exclude each other'],
  [['--yolo', '--deny'], '--yolo and --deny exclude each other'],
  [['--stream', '--no-stream'], '--stream and --no-stream exclude each other'],
  [['-q', '--json'], '--quiet and --json exclude each other'],
  [['-i', '--non-interactive'], '--interactive and --non-interactive exclude each other'],
  [['--max-turns', 'many'], '--max-turns must be a number, not "many"'],
  [['--timeout', 'soon'], '--timeout must be a duration such as 30s, 5m, 1h or 1500 (milliseconds), not "soon"'],
  [['--thinking-effort', 'huge'], '--thinking-effort must be one of low, medium, high, xhigh, max, not "huge"'],
  [['--env', 'A'], '--env must be NAME=VALUE, not "A"'],
  [['--output-schema', '[1]'], '--output-schema: cannot read [1]'],
  [['--thinking-override', '[1]'], '--thinking-override must be a JSON object'],
  [['--attach', 'no/such.png'], '--attach: no such file: no/such.png'],
  [['--endpoint', 'http://x', '--endpoint-key-env', 'NONE'], '--endpoint-key-env: the variable NONE is not set'],
  [['--mcp-server', 'nothing'], '--mcp-server must be NAME=COMMAND ARGS'],
  [['--modle', 'x'], 'Unknown flag --modle'],
  [['--model'], '--model needs a value: --model ID'],
  [['--model', '--yolo'], '--model needs a value, and --yolo looks like a flag'],
  [['--yolo=1'], '--yolo takes no value'],
  [['-z'], 'Unknown flag -z'],
])('%j is refused', (argv, message) => {
  expect(() => read(...argv)).toThrow(message)
})

test('errors in options name the flags', () => {
  const fields = [{ field: 'maxCostUsd', message: 'must be positive', received: -1, expected: 'x' }]
  expect(inWordsOfFlags(new ValidationError(fields))).toMatchObject({
    message: 'Invalid options: --max-cost: must be positive',
  })
})

test.each([
  ['temperature', {}, 'x does not support --temperature'],
  ['toolLists', {}, 'x does not support --allow-tool and --disallow-tool'],
  ['mcp', {}, 'x does not support --mcp-server'],
  [
    'mcp',
    { hint: 'Go on with `lenient`, or limit it with `timeout`.' },
    'Go on with `--lenient`, or limit it with `--timeout`.',
  ],
  ['approvalMode', { message: 'x does not support approvalMode "accept-edits"' }, 'x does not support --accept-edits'],
  ['imageInput', { hint: 'Use filePath.' }, 'Use the path of a file.'],
  ['imageInput', {}, 'x does not support images in --attach'],
  ['another endpoint', {}, 'x does not support another endpoint'],
])('the refusal of %s %j speaks of flags', (capability, more, text) => {
  const told = inWordsOfFlags(new CapabilityError('x', capability, more))
  expect(told).toHaveProperty('hint' in more ? 'hint' : 'message', text)
})

test.each([
  ['250ms', 250],
  ['30s', 30_000],
  ['5m', 300_000],
  ['1.5h', 5_400_000],
  ['1d', 86_400_000],
  ['1500', 1500],
  ['0', 0],
])('the duration %s', (text, ms) => {
  expect(parseDuration('--timeout', text)).toBe(ms)
})

describe('agent and prompt', () => {
  const split = (words: string[], more: { agentFlag?: string; promptFlag?: string; hasDefaultAgent?: boolean } = {}) =>
    splitPrompt({ words, hasDefaultAgent: false, isAgent: (name) => name === 'claude', ...more })

  test.each([
    [['claude', 'fix', 'it'], {}, { agent: 'claude', text: 'fix it', readsStdin: false }],
    [['claude', '-'], {}, { agent: 'claude', readsStdin: true }],
    [['claude', 'review this', '-'], {}, { agent: 'claude', text: 'review this', readsStdin: true }],
    [['claude'], { promptFlag: 'hi' }, { agent: 'claude', text: 'hi', readsStdin: false }],
    [['claude'], { promptFlag: '-' }, { agent: 'claude', readsStdin: true }],
    [['claude'], {}, { agent: 'claude', readsStdin: false }],
    [['fix', 'it'], { hasDefaultAgent: true }, { text: 'fix it', readsStdin: false }],
    [['claude', 'fix'], { hasDefaultAgent: true }, { agent: 'claude', text: 'fix', readsStdin: false }],
    [['claude', 'is', 'great'], { agentFlag: 'codex' }, { agent: 'codex', text: 'claude is great', readsStdin: false }],
    [['calude', 'fix'], {}, { agent: 'calude', text: 'fix', readsStdin: false }],
  ])('%j %j', (words, more, expected) => {
    expect(split(words, more)).toEqual({ agent: undefined, text: undefined, ...expected })
  })

  test('a sentence without an agent asks for one', () => {
    expect(() => split(['fix the bug'])).toThrow('Which agent?')
    expect(() => split([])).toThrow('Which agent?')
  })

  test('two prompts are one too many', () => {
    expect(() => split(['claude', 'a'], { promptFlag: 'b' })).toThrow('Two prompts')
  })
})
