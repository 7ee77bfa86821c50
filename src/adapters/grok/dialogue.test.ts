import { expect, test } from 'vitest'
import type { Dialogue, Effect } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { createDialogue } from './dialogue.ts'

const stream = (options: Partial<RunOptions> = {}) =>
  createDialogue({ agent: 'grok', prompt: 'p', nonInteractive: true, ...options })
const feed = (dialogue: Dialogue, record: object) => dialogue.onLine(JSON.stringify(record), 'stdout')
const emits = (effects: Effect[] | null) => (effects ?? []).flatMap((effect) => ('emit' in effect ? [effect.emit] : []))
const kinds = (effects: Effect[]) => effects.flatMap((effect) => ('fail' in effect ? [effect.fail.outcome.kind] : []))

const call = { type: 'tool_call', toolCallId: 'c', toolName: 'run_terminal_command', rawInput: { command: 'ls' } }
const update = (status: string, text: string) => ({
  type: 'tool_call_update',
  toolCallId: 'c',
  status,
  content: [{ type: 'content', content: { type: 'text', text } }],
  rawOutput: { exit_code: 0 },
})

test('a command starts when it runs, and reports what it prints once', () => {
  const dialogue = stream()
  expect(emits(feed(dialogue, call)).map(({ type }) => type)).toEqual(['turn_start', 'tool_call_start'])
  expect(emits(feed(dialogue, update('in_progress', 'a\n'))).map(({ type }) => type)).toEqual([
    'tool_call_ready',
    'shell_start',
    'shell_stdout_delta',
  ])
  const done = emits(feed(dialogue, update('completed', 'a\nb\n')))
  expect(done[0]).toMatchObject({ type: 'shell_stdout_delta', delta: 'b\n' })
})

test('a call that a rule forbids never starts, and the turn is not said to be cancelled', () => {
  const dialogue = stream()
  feed(dialogue, call)
  const denied = emits(feed(dialogue, update('failed', 'Denied by permission policy: deny rule on bash')))
  expect(denied.map(({ type }) => type)).toEqual([
    'tool_call_ready',
    'approval_request',
    'approval_denied',
    'tool_error',
  ])
  expect(kinds(feed(dialogue, { type: 'end', stopReason: 'cancelled', sessionId: 's' }))).toEqual([])
})

test('a fork is reported with the id that comes at the end', () => {
  const effects = feed(stream({ forkSessionId: 'old' }), { type: 'end', stopReason: 'end_turn', sessionId: 'new' })
  expect(emits(effects)).toContainEqual({ type: 'session_fork', sessionId: 'new', forkedFrom: 'old' })
})

test.each([
  ["Couldn't set model 'x': Invalid params: \"unknown model id\".", 'failed'],
  ['Not signed in. To authenticate without a browser, run', 'auth_required'],
  ['requests: Rate limit reached for requests.', 'rate_limited'],
])('%s', (message, kind) => {
  expect(kinds(feed(stream(), { type: 'error', message }))).toEqual([kind])
})

test('a session that is not there is reported on stderr only', () => {
  const stderr = 'Session "x" not found locally, restoring conversation from remote...\nError: Failed to authenticate'
  expect(stream().onExit({ exitCode: 1, signal: null, stderr })[0]).toMatchObject({
    fail: { outcome: { code: 'SESSION_NOT_FOUND' } },
  })
})

test('another try is distinguished from the notice of the vendor', () => {
  const dialogue = createDialogue({ agent: 'grok', prompt: 'p' })
  const params = { update: { sessionUpdate: 'retry_state', type: 'retrying', attempt: 1, reason: '429' } }
  const effects = feed(dialogue, { jsonrpc: '2.0', method: '_x.ai/session_notification', params })
  expect(emits(effects)).toMatchObject([{ type: 'retry', attempt: 1, reason: '429' }])
})

test('questions are answered together, and withdrawn by an interrupt', () => {
  const dialogue = createDialogue({ agent: 'grok', prompt: 'p' })
  dialogue.start({ agent: 'grok', prompt: 'p' })
  const questions = [{ question: 'a?', options: [{ label: 'x' }] }, { question: 'b?' }]
  const ask = (id: number) =>
    feed(dialogue, { jsonrpc: '2.0', id, method: '_x.ai/ask_user_question', params: { questions } })
  expect(emits(ask(1))).toMatchObject([{ interactionId: 'question-1#0', options: ['x'] }, { question: 'b?' }])
  expect(dialogue.onCommand({ type: 'answer', interactionId: 'question-1#0', text: 'x' })).toEqual([])
  expect(dialogue.onCommand({ type: 'answer', interactionId: 'question-1#1', text: 'y' })).toEqual([
    { write: '{"jsonrpc":"2.0","id":1,"result":{"outcome":"accepted","answers":{"a?":"x","b?":"y"}}}' },
  ])
  ask(2)
  expect(dialogue.onCommand({ type: 'interrupt' })).toContainEqual({
    write: '{"jsonrpc":"2.0","id":2,"result":{"outcome":"cancelled"}}',
  })
})

test('the first turn waits until the MCP servers of the run were tried', () => {
  const options = { prompt: 'p', mcpServers: [{ name: 'x', command: 'y' }] }
  const dialogue = createDialogue(options)
  const asks = (effects: Effect[]) =>
    effects.some((effect) => 'write' in effect && effect.write.includes('"session/prompt"'))
  const result = (id: number, answer: object) => feed(dialogue, { jsonrpc: '2.0', id, result: answer })
  dialogue.start(options)
  result(1, { protocolVersion: 1, agentCapabilities: { loadSession: true } })
  expect(asks(result(2, { sessionId: 's' }))).toBe(false)
  expect(asks(feed(dialogue, { jsonrpc: '2.0', method: '_x.ai/mcp_initialized', params: {} }))).toBe(true)
})

test.each([
  [{ TERM: 'xterm-256color', MAVEN_OPTS: '-Dstyle.color=always', GROK_SESSION_ID: 'a-1' }, []],
  [{ TERM: 'xterm-256color', MAVEN_OPTS: '-javaagent:x.jar' }, undefined],
  [{ LD_PRELOAD: '/tmp/x.so' }, undefined],
])('a command with %j is known in full, or not', (env, paths) => {
  const options: RunOptions = { agent: 'grok', prompt: 'p', approvalMode: 'prompt' }
  const dialogue = createDialogue(options)
  dialogue.start(options)
  const variables = Object.entries(env).map(([name, value]) => ({ name, value }))
  const params = { sessionId: 's', command: "/usr/bin/bash -lc 'touch x'", env: variables, cwd: '/work' }
  const [asked] = emits(feed(dialogue, { jsonrpc: '2.0', id: 0, method: 'terminal/create', params }))
  expect(asked).toMatchObject({ type: 'approval_request', kind: 'execute', command: params.command })
  expect(asked && 'paths' in asked ? asked.paths : undefined).toEqual(paths)
})

test('a live run finds its schema below the prompt', () => {
  const options: RunOptions = { agent: 'grok', prompt: 'p', outputSchema: { type: 'object' } }
  const dialogue = createDialogue(options)
  dialogue.start(options)
  feed(dialogue, { jsonrpc: '2.0', id: 1, result: { protocolVersion: 1 } })
  const effects = feed(dialogue, { jsonrpc: '2.0', id: 2, result: { sessionId: 's' } })
  const prompt = effects.find((effect) => 'write' in effect && effect.write.includes('session/prompt'))
  expect(prompt).toMatchObject({ write: expect.stringContaining(JSON.stringify('{"type":"object"}').slice(1, -1)) })
})
