import { expect, test } from 'vitest'
import type { Dialogue, Effect } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import adapter from './index.ts'

const MODES = { currentModeId: 'default', availableModes: [{ id: 'default' }] }
const ENDPOINT = { baseUrl: 'http://127.0.0.1:1', apiKey: 'k' }

function opened(options: RunOptions, answer: object): { dialogue: Dialogue; effects: Effect[] } {
  const dialogue = adapter.createDialogue(options)
  dialogue.start(options)
  const capabilities = { loadSession: true, sessionCapabilities: { resume: {}, fork: {} } }
  dialogue.onLine(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { agentCapabilities: capabilities } }), 'stdout')
  const effects = dialogue.onLine(JSON.stringify({ jsonrpc: '2.0', id: 2, result: answer }), 'stdout')
  return { dialogue, effects }
}

const written = (effects: readonly Effect[]) => effects.flatMap((one) => ('write' in one ? [one.write] : [])).join('')

test('a session that is resumed is moved to the endpoint of the run before anything is said', () => {
  const models = { currentModelId: 'custom:m', availableModels: [] }
  const { effects } = opened({ prompt: 'hi', sessionId: 's', endpoint: ENDPOINT }, { models, modes: MODES })
  expect(written(effects)).toContain('"session/set_model","params":{"sessionId":"s","modelId":"custom:amux:m"}')
  expect(written(effects)).not.toContain('session/prompt')
})

test('a session that is not there is not started again', () => {
  for (const [options, answer] of [
    [{ sessionId: 's' }, {}],
    [{ forkSessionId: 's' }, { sessionId: '' }],
  ] as const) {
    const { effects } = opened({ prompt: 'hi', ...options }, answer)
    expect(JSON.stringify(effects)).toContain('SESSION_NOT_FOUND')
    expect(written(effects)).not.toContain('session/prompt')
  }
})

test('a turn without counts has failed, in whatever words; a slash command has not', () => {
  const session = { sessionId: 's', modes: MODES }
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Gave up on it.' } }
  const words = JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's', update } })
  const answer = JSON.stringify({ jsonrpc: '2.0', id: 3, result: { stopReason: 'end_turn' } })
  for (const [prompt, fails] of [
    ['hi', true],
    ['/help', false],
  ] as const) {
    const { dialogue } = opened({ prompt }, session)
    dialogue.onLine(words, 'stdout')
    expect(dialogue.onLine(answer, 'stdout').some((one) => 'fail' in one)).toBe(fails)
  }
})

test('a permission belongs to the call that waits for it, among several', () => {
  const { dialogue } = opened({ prompt: 'hi' }, { sessionId: 's', modes: MODES })
  const send = (message: object) => dialogue.onLine(JSON.stringify({ jsonrpc: '2.0', ...message }), 'stdout')
  for (const command of ['one', 'two']) {
    const content = [{ type: 'content', content: { type: 'text', text: `$ ${command}` } }]
    const call = { toolCallId: `tc-${command}`, title: `terminal: ${command}`, kind: 'execute', content }
    send({ method: 'session/update', params: { sessionId: 's', update: { sessionUpdate: 'tool_call', ...call } } })
  }
  const toolCall = { toolCallId: 'perm-check-1', kind: 'execute', rawInput: { command: 'two', description: 'x' } }
  const effects = send({
    id: 7,
    method: 'session/request_permission',
    params: { sessionId: 's', toolCall, options: [] },
  })
  const request = effects.flatMap((one) => ('emit' in one && one.emit.type === 'approval_request' ? [one.emit] : []))
  expect(request).toMatchObject([{ toolCallId: 'tc-two', toolName: 'terminal', command: 'two' }])
  // After a minute without an answer the agent denies the call by itself.
  const ended = {
    sessionUpdate: 'tool_call_update',
    toolCallId: 'tc-two',
    kind: 'execute',
    status: 'failed',
    content: [],
  }
  const denied = send({ method: 'session/update', params: { sessionId: 's', update: ended } })
  expect(JSON.stringify(denied)).toContain('"approval_denied","interactionId":"tc-two"')
})
