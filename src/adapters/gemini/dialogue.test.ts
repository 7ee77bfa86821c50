import { expect, test } from 'vitest'
import type { Effect } from '../../contract/dialogue.ts'
import { createDialogue } from './dialogue.ts'

const exit = (stderr: string, exitCode: number) => ({ exitCode, signal: null, stderr })
const outcomes = (effects: Effect[]) =>
  effects.flatMap((effect) => ('fail' in effect ? [effect.fail.outcome.kind] : []))
const oneShot = () => createDialogue({ prompt: 'x', nonInteractive: true })

test('a live run begins with the handshake, a one-shot run says nothing', () => {
  const [first] = createDialogue({ prompt: 'x' }).start({ prompt: 'x' })
  expect(first).toMatchObject({ write: expect.stringContaining('"initialize"') })
  expect(oneShot().start({ prompt: 'x' })).toEqual([])
})

test('a notice of a retry may take two lines', () => {
  const dialogue = oneShot()
  expect(dialogue.onLine('Attempt 1 failed: Rate limit exceeded (mock)', 'stderr')).toEqual([])
  expect(dialogue.onLine('Suggested retry after 1s.. Retrying after 5347ms...', 'stderr')).toMatchObject([
    { emit: { type: 'rate_limited', retryAfterMs: 5347 } },
    { emit: { type: 'retry', attempt: 1, delayMs: 5347 } },
  ])
})

test('an exit without a result is a cancelled run, unless stderr says why', () => {
  const begun = oneShot()
  begun.onLine(JSON.stringify({ type: 'init', session_id: 's' }), 'stdout')
  expect(outcomes(begun.onExit(exit('', 0)))).toEqual(['cancelled'])
  expect(outcomes(oneShot().onExit(exit('', 0)))).toEqual(['protocol_drift'])
  expect(outcomes(oneShot().onExit(exit('Invalid auth method selected.', 41)))).toEqual(['auth_required'])
  expect(outcomes(oneShot().onExit(exit('something else', 1)))).toEqual([])
})

test('a limit that passes is distinguished from a plan that is used up', () => {
  const failure = (message: string) =>
    outcomes(oneShot().onLine(JSON.stringify({ type: 'result', status: 'error', error: { message } }), 'stdout'))
  expect(failure('[API Error: Rate limit exceeded / quota exhausted]\nrequest a quota increase')).toEqual([
    'rate_limited',
  ])
  expect(failure('[API Error: You exceeded your current quota]')).toEqual(['quota_exhausted'])
  expect(failure('[API Error: {"error":{"code":400,"message":"The input token count (9) exceeds"}}]')).toEqual([
    'context_exhausted',
  ])
})

test('the tool of an MCP server is named as with every agent', () => {
  const dialogue = createDialogue({ prompt: 'x', nonInteractive: true, mcpServers: [{ name: 'my_own', command: 'y' }] })
  const use = (tool_name: string) =>
    dialogue.onLine(JSON.stringify({ type: 'tool_use', tool_id: tool_name, tool_name }), 'stdout')
  expect(use('mcp_my_own_echo')[0]).toMatchObject({ emit: { toolName: 'mcp__my_own__echo' } })
  expect(use('mcp_demo_add')[0]).toMatchObject({ emit: { toolName: 'mcp__demo__add' } })
})

test('the history of a resumed session is over when the commands are reported, and is not a part of the answer', () => {
  const options = { prompt: 'x', sessionId: 's' }
  const dialogue = createDialogue(options)
  const send = (record: object) => dialogue.onLine(JSON.stringify({ jsonrpc: '2.0', ...record }), 'stdout')
  const update = (sessionUpdate: string, content?: object) =>
    send({ method: 'session/update', params: { sessionId: 's', update: { sessionUpdate, content } } })
  const isAsked = (effects: Effect[]) =>
    effects.some((effect) => 'write' in effect && effect.write.includes('"session/prompt"'))
  dialogue.start(options)
  send({ id: 1, result: { protocolVersion: 1, agentCapabilities: { loadSession: true } } })
  const modes = { currentModeId: 'default', availableModes: [{ id: 'default', name: 'Default' }] }
  expect(isAsked(send({ id: 2, result: { modes } }))).toBe(false)
  expect(isAsked(update('agent_message_chunk', { type: 'text', text: 'old words' }))).toBe(false)
  expect(isAsked(update('available_commands_update'))).toBe(true)
})

test.each([
  ['[current working directory /work] (Lists [all] files)', { paths: [], command: 'ls -l' }],
  ['[in sub] (Lists files) [background]', { paths: [], command: 'ls -l', cwd: 'sub' }],
  ['[in sub] (else] (Lists files)', { command: 'ls -l' }],
])('a command is in the title of what is asked: %s', (text, access) => {
  const dialogue = createDialogue({ prompt: 'x' })
  const toolCall = {
    toolCallId: 'run_shell_command__call_1',
    status: 'pending',
    title: 'ls -l',
    content: [{ type: 'content', content: { type: 'text', text } }],
    locations: [],
    kind: 'execute',
  }
  const params = { sessionId: 's', options: [], toolCall }
  const record = { jsonrpc: '2.0', id: 0, method: 'session/request_permission', params }
  const effects = dialogue.onLine(JSON.stringify(record), 'stdout')
  const asked = effects.flatMap((one) => ('emit' in one && one.emit.type === 'approval_request' ? [one.emit] : []))[0]
  const { paths, command, cwd } = asked ?? {}
  expect({ paths, command, cwd }).toEqual(access)
})
