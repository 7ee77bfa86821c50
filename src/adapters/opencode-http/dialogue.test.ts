import { describe, expect, test } from 'vitest'
import type { Effect, HttpRequest } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { createDialogue } from './dialogue.ts'
import adapter from './index.ts'

const SESSION = 'ses_1'
const requests = (effects: Effect[] | null): HttpRequest[] =>
  (effects ?? []).flatMap((effect) => ('http' in effect ? effect.http : []))
const types = (effects: Effect[] | null) =>
  (effects ?? []).flatMap((effect) => ('emit' in effect ? effect.emit.type : []))
const outcome = (effects: Effect[]) => effects.flatMap((effect) => ('fail' in effect ? effect.fail.outcome : []))[0]

/** A dialogue whose server answers as the real one does, up to the first turn. */
function begin(more: Partial<RunOptions> = {}) {
  const options: RunOptions = { prompt: 'hello', model: 'p/m', ...more }
  const dialogue = createDialogue(options)
  const sent: HttpRequest[] = []
  const keep = (effects: Effect[] | null) => {
    sent.push(...requests(effects))
    return effects ?? []
  }
  const event = (type: string, properties: object = {}) =>
    keep(
      dialogue.onHttp?.('events-2', {
        sse: JSON.stringify({ type, properties: { sessionID: SESSION, ...properties } }),
      }) ?? null,
    )
  const reply = (status: number, body: unknown) =>
    keep(dialogue.onHttp?.(sent.at(-1)?.requestId ?? '', { status, body }) ?? null)
  dialogue.start(options)
  keep(dialogue.onLine('opencode server listening on http://127.0.0.1:4096', 'stdout'))
  reply(200, { healthy: true, version: '1.18.33' })
  event('server.connected')
  const command = (given: Parameters<typeof dialogue.onCommand>[0]) => keep(dialogue.onCommand(given))
  return { dialogue, sent, event, reply, command }
}

function inTurn(more: Partial<RunOptions> = {}) {
  const run = begin(more)
  run.reply(200, { id: SESSION })
  run.event('session.status', { status: { type: 'busy' } })
  return run
}

const permission = { id: 'per_1', permission: 'bash', patterns: ['touch x'], tool: { callID: 'c' } }

test('a server of its own, with a password, on this machine', () => {
  const { args, env } = adapter.buildSpawnArgs({ prompt: 'x', model: 'p/m', env: {} })
  expect(args.slice(0, 3)).toEqual(['serve', '--hostname=127.0.0.1', '--port=0'])
  expect(env.OPENCODE_SERVER_PASSWORD).toBe('{secret}')
})

test('health, events, session, then the first turn', () => {
  const { sent, reply } = begin()
  const effects = reply(200, { id: SESSION })
  expect(types(effects)).toEqual(['session_start', 'turn_start'])
  expect(sent.map(({ method, url }) => `${method} ${url.replace('http://127.0.0.1:4096', '')}`)).toEqual([
    'GET /global/health',
    'GET /event',
    'POST /session',
    'POST /session/ses_1/prompt_async',
  ])
  expect(sent[1]).toMatchObject({ stream: true, user: 'opencode' })
  expect(sent[3]?.body).toMatchObject({
    model: { providerID: 'p', modelID: 'm' },
    parts: [{ type: 'text', text: 'hello' }],
  })
})

test('a page where the health should be is not a server of ours', () => {
  const dialogue = createDialogue({ prompt: 'x' })
  dialogue.start({ prompt: 'x' })
  const [health] = requests(dialogue.onLine('opencode server listening on http://127.0.0.1:1', 'stdout'))
  const effects = dialogue.onHttp?.(health?.requestId ?? '', { status: 200, body: '<html>' }) ?? []
  expect(outcome(effects)?.kind).toBe('protocol_drift')
})

test('sessions are resumed and forked; an unknown one is said to be unknown', () => {
  expect(begin({ sessionId: 'ses_0' }).sent.at(-1)).toMatchObject({ method: 'GET' })
  expect(begin({ forkSessionId: 'ses_0' }).sent.at(-1)?.url).toMatch(/\/session\/ses_0\/fork$/)
  const error = { name: 'NotFoundError', data: { message: 'Session not found: ses_0' } }
  expect(outcome(begin({ sessionId: 'ses_0' }).reply(404, error))).toMatchObject({ code: 'SESSION_NOT_FOUND' })
  const failure = { name: 'UnknownError', data: { message: 'Unexpected server error.' } }
  expect(outcome(begin({ sessionId: 'a-b-c' }).reply(500, failure))).toMatchObject({ code: 'SESSION_NOT_FOUND' })
})

test('what was copied into a fork is not of this run', () => {
  const { event, reply } = begin({ forkSessionId: 'ses_0' })
  reply(200, { id: SESSION })
  const part = { type: 'step-finish', tokens: { input: 1, output: 1 } }
  expect(event('message.part.updated', { part })).toEqual([])
  event('session.status', { status: { type: 'busy' } })
  expect(types(event('message.part.updated', { part }))).toEqual(['token_usage'])
})

test('a turn ends when its session is idle, and only then', () => {
  const { event } = inTurn()
  expect(event('session.idle', { sessionID: 'ses_child' })).toEqual([])
  expect(types(event('session.idle'))).toEqual(['turn_end'])
  // Reported twice after an error.
  expect(event('session.idle')).toEqual([])
})

test('idleness from before the turn began does not end it', () => {
  const { event, reply } = begin()
  reply(200, { id: SESSION })
  expect(event('session.idle')).toEqual([])
})

test('an error is the verdict once the session is idle', () => {
  const { event } = inTurn()
  event('session.error', { error: { name: 'APIError', data: { message: 'no', statusCode: 401 } } })
  expect(outcome(event('session.idle'))?.kind).toBe('auth_required')
})

test('text and thinking come in pieces, and once', () => {
  const { event } = inTurn()
  const part = { id: 'prt_1', messageID: 'msg_2', type: 'text', text: '' }
  event('message.updated', { info: { id: 'msg_1', role: 'user' } })
  expect(event('message.part.updated', { part: { ...part, id: 'prt_0', messageID: 'msg_1', text: 'hello' } })).toEqual(
    [],
  )
  expect(types(event('message.part.updated', { part }))).toEqual(['message_start'])
  expect(types(event('message.part.delta', { partID: 'prt_1', field: 'text', delta: 'Hi' }))).toEqual(['text_delta'])
  const done = { ...part, text: 'Hi!', time: { start: 1, end: 2 } }
  expect(types(event('message.part.updated', { part: done }))).toEqual(['text_delta', 'message_stop'])
  expect(event('message.part.updated', { part: done })).toEqual([])
})

test('what is reported after the turn has ended is not reported again', () => {
  const { event } = inTurn()
  const part = { id: 'prt_1', messageID: 'msg_2', type: 'text', text: 'Hi' }
  event('message.part.updated', { part })
  event('session.idle')
  expect(event('message.part.updated', { part: { ...part, text: 'Hi!', time: { end: 2 } } })).toEqual([])
})

test('a command prints as it runs', () => {
  const { event } = inTurn()
  const tool = (state: object) =>
    event('message.part.updated', { part: { type: 'tool', tool: 'bash', callID: 'c', state } })
  expect(types(tool({ status: 'pending', input: {} }))).toEqual(['tool_call_start'])
  expect(types(tool({ status: 'running', input: { command: 'x' } }))).toEqual(['tool_call_ready', 'shell_start'])
  expect(types(tool({ status: 'running', metadata: { output: 'a' } }))).toEqual(['shell_stdout_delta'])
  const done = tool({ status: 'completed', input: {}, output: 'ab', metadata: { output: 'ab', exit: 0 } })
  expect(done[0]).toMatchObject({ emit: { type: 'shell_stdout_delta', delta: 'b' } })
  expect(types(done)).toEqual(['shell_stdout_delta', 'shell_exit', 'tool_result'])
})

test('tools and tokens of a sub-agent belong to the call that started it', () => {
  const { event } = inTurn()
  const state = { status: 'running', input: { subagent_type: 'general' }, metadata: { sessionId: 'ses_2' } }
  event('message.part.updated', { part: { type: 'tool', tool: 'task', callID: 'c', state } })
  const child = (part: object) => event('message.part.updated', { sessionID: 'ses_2', part })
  const read = child({ type: 'tool', tool: 'read', callID: 'd', state: { status: 'running', input: {} } })
  expect(read[0]).toMatchObject({ emit: { parentToolCallId: 'c' } })
  expect(child({ type: 'text', id: 'p', text: 'mine' })).toEqual([])
  expect(types(child({ type: 'step-finish', tokens: { input: 1, output: 1 } }))).toEqual(['token_usage'])
})

describe('approvals', () => {
  test('asked, and answered by the caller', () => {
    const { event, command, sent } = inTurn()
    expect(types(event('permission.asked', permission))).toEqual(['approval_request'])
    command({ type: 'approve', interactionId: 'per_1' })
    expect(sent.at(-1)).toMatchObject({ body: { reply: 'once' } })
    expect(sent.at(-1)?.url).toMatch(/\/permission\/per_1\/reply$/)
  })
  test('denied, with the reason that the model is told', () => {
    const { event, command, sent } = inTurn()
    event('permission.asked', permission)
    command({ type: 'deny', interactionId: 'per_1', reason: 'not today' })
    expect(sent.at(-1)).toMatchObject({ body: { reply: 'reject', message: 'not today' } })
  })
  test('refused at once where nobody is asked, granted at once in yolo', () => {
    const denied = inTurn({ approvalMode: 'deny' })
    expect(types(denied.event('permission.asked', permission))).toEqual(['approval_request', 'approval_denied'])
    expect(denied.sent.at(-1)).toMatchObject({ body: { reply: 'reject' } })
    const yolo = inTurn({ approvalMode: 'yolo' })
    expect(types(yolo.event('permission.asked', permission))).toEqual([])
    expect(yolo.sent.at(-1)).toMatchObject({ body: { reply: 'once' } })
  })
  test('those of strangers are not ours to answer', () => {
    expect(inTurn().event('permission.asked', { ...permission, sessionID: 'ses_9' })).toEqual([])
  })
})

test('several questions get one answer', () => {
  const { event, command, sent } = inTurn()
  const questions = [{ question: 'a?', options: [{ label: 'x' }] }, { question: 'b?' }]
  expect(types(event('question.asked', { id: 'que_1', questions }))).toEqual(['input_required', 'input_required'])
  expect(requests(command({ type: 'answer', interactionId: 'que_1:1', text: 'B' }))).toEqual([])
  command({ type: 'answer', interactionId: 'que_1:0', text: 'A' })
  expect(sent.at(-1)).toMatchObject({ body: { answers: [['A'], ['B']] } })
})

test('steering goes into the turn, another message waits, interrupt aborts, close ends the server', () => {
  const { event, command, sent, dialogue } = inTurn()
  command({ type: 'steer', text: 'left' })
  expect(sent.at(-1)).toMatchObject({ body: { parts: [{ text: 'left' }] } })
  expect(command({ type: 'user_turn', text: 'next' })).toEqual([])
  command({ type: 'interrupt' })
  expect(sent.at(-1)?.url).toMatch(/\/abort$/)
  event('session.error', { error: { name: 'MessageAbortedError', data: {} } })
  const over = event('session.idle')
  expect(outcome(over)?.kind).toBe('cancelled')
  expect(types(over)).toEqual(['turn_end', 'turn_start'])
  expect(command({ type: 'close' })).toEqual([])
  event('session.status', { status: { type: 'busy' } })
  expect(event('session.idle').at(-1)).toEqual({ endProcess: true })
  expect(dialogue.busy?.()).toBe(false)
})

test('a retry of the server is one of ours, and the schema is answered', () => {
  const { event, sent } = inTurn({ outputSchema: { type: 'object' } })
  expect(sent.at(-1)).toMatchObject({ body: { format: { type: 'json_schema' } } })
  const status = { type: 'retry', attempt: 1, message: 'Rate limit reached' }
  expect(types(event('session.status', { status }))).toEqual(['rate_limited', 'retry'])
  event('message.updated', { info: { id: 'msg_2', role: 'assistant', structured: { city: 'x' } } })
  expect(event('session.idle')[0]).toEqual({ structuredOutput: { city: 'x' } })
})

test('a stream that breaks ends the run, and an unknown event is counted', () => {
  const { dialogue, event } = inTurn()
  expect(event('brand.new')).toEqual([{ unrecognized: 'brand.new' }])
  const broken = dialogue.onHttp?.('events-2', { error: 'gone' }) ?? []
  expect(broken[0]).toMatchObject({ fail: { endNow: true } })
})
