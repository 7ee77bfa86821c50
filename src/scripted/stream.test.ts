import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assemble } from './fixtures/assemble.ts'
import { bodyOf, parseEvents, pathOf } from './fixtures/requests.ts'
import { type Protocol, type ScriptedServer, scenarioNames, scenarios, startScriptedServer } from './index.ts'

type Json = Record<string, unknown>

let server: ScriptedServer
beforeAll(async () => {
  server = await startScriptedServer()
})
afterAll(() => server.close())

const protocols: Protocol[] = ['anthropic', 'openai-responses', 'openai-chat', 'gemini']
const post = (protocol: Protocol, scenario: string, stream: boolean, body: Json = bodyOf(protocol, stream)) =>
  fetch(server.baseUrl(protocol, scenario) + pathOf(protocol, stream), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer sk-fake' },
    body: JSON.stringify(body),
  })

const stops = {
  anthropic: { end: 'end_turn', tools: 'tool_use', refusal: 'refusal' },
  'openai-responses': { end: 'completed', tools: 'completed', refusal: 'incomplete' },
  'openai-chat': { end: 'stop', tools: 'tool_calls', refusal: 'content_filter' },
  gemini: { end: 'STOP', tools: 'STOP', refusal: 'SAFETY' },
}

const slow = new Set(['slow', 'cut', 'cut-recover', 'end-recover'])
const failing = scenarioNames.filter((name) => 'fail' in (scenarios[name]?.turns[0]?.[0] ?? {}))
const speaking = scenarioNames.filter((name) => !failing.includes(name) && !slow.has(name))

describe.each(protocols)('%s', (protocol) => {
  test.each(speaking)('%s streams a whole reply', async (name) => {
    const reply = scenarios[name]?.turns[0]?.[0]
    if (!reply || 'fail' in reply) throw new Error('not a reply')
    const response = await post(protocol, name, true)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const heard = assemble(protocol, await response.text())
    expect(heard.thinking).toBe(reply.thinking ?? '')
    if (reply.text) expect(heard.text).toBe(reply.text.replaceAll('{turn}', '1'))
    const shells = (reply.tools ?? []).flatMap((intent) => (intent.intent === 'shell' ? [intent.command] : []))
    expect(heard.calls.map((call) => call.input)).toEqual(
      shells.map((command) => ({ command: command.replaceAll('{step}', '0') })),
    )
    for (const intent of reply.tools ?? [])
      if (intent.intent !== 'shell') expect(heard.text).toContain(`[scripted] no tool for intent ${intent.intent}`)
    const stop = reply.stop === 'refusal' ? 'refusal' : shells.length > 0 ? 'tools' : 'end'
    expect(heard.stop).toBe(stops[protocol][stop])
  })

  test.each(speaking)('%s says the same without streaming', async (name) => {
    const streamed = assemble(protocol, await (await post(protocol, name, true)).text())
    const response = await post(protocol, name, false)
    const whole = JSON.stringify(await response.json())
    expect(response.headers.get('content-type')).toBe('application/json')
    if (streamed.text) expect(whole).toContain(JSON.stringify(streamed.text).slice(1, -1))
    if (streamed.thinking) expect(whole).toContain(JSON.stringify(streamed.thinking).slice(1, -1))
    for (const call of streamed.calls) expect(whole).toContain(`"name":"${call.name}"`)
  })

  test.each(failing)('%s fails as the provider does', async (name) => {
    const reply = scenarios[name]?.turns[0]?.[0] as { fail: string; retryAfterSeconds?: number }
    const response = await post(protocol, name, true, bodyOf(protocol, true, `failing ${name}`))
    const text = await response.text()
    if (protocol === 'openai-responses' && name === 'context') {
      const last = parseEvents(text).at(-1)
      expect(last?.event).toBe('response.failed')
      expect(JSON.parse(last?.data ?? '').response.error.code).toBe('context_length_exceeded')
      return
    }
    const expected: Record<string, number[]> = {
      '401': [401],
      '403': [403],
      '404-model': [404],
      '429': [429],
      quota: [429],
      credit: [400, 402, 403, 429],
      '500': [500],
      overloaded: [503, 529],
      context: [400],
      'context-400': [400],
    }
    expect(expected[reply.fail]).toContain(response.status)
    expect(JSON.parse(text).error.message.length).toBeGreaterThan(5)
    expect(response.headers.get('retry-after')).toBe(reply.retryAfterSeconds ? String(reply.retryAfterSeconds) : null)
  })

  test('cut breaks the stream, and the plain reply', async () => {
    const streamed = await post(protocol, 'cut', true)
    await expect(streamed.text()).rejects.toThrow()
    const plain = await post(protocol, 'cut', false)
    await expect(plain.text()).rejects.toThrow()
    expect(server.requests.filter((request) => request.protocol === protocol).at(-1)).toMatchObject({
      cut: true,
      aborted: false,
    })
  })

  test('a response that breaks off once is whole the next time', async () => {
    const ask = async (name: string) => (await post(protocol, name, true, bodyOf(protocol, true, 'once'))).text()
    await expect(ask('cut-recover')).rejects.toThrow()
    const early = await ask('end-recover')
    expect(early).toContain('This')
    expect(early).not.toContain('nds.')
    for (const name of ['cut-recover', 'end-recover']) {
      expect(assemble(protocol, await ask(name)).text).toBe('Hello after one broken response.')
    }
  })

  test('a second turn and a tool result move the script on', async () => {
    const answer = async (messages: unknown, name: string) => {
      const key = { anthropic: 'messages', 'openai-responses': 'input', 'openai-chat': 'messages', gemini: 'contents' }
      const body = { ...bodyOf(protocol, true), [key[protocol]]: messages }
      return assemble(protocol, await (await post(protocol, name, true, body)).text())
    }
    const { second, afterTool } = histories[protocol]
    expect((await answer(second, 'multi-turn')).text).toBe(
      'Reply B: I have seen 2 user turns, and the first one said: one',
    )
    expect((await answer(afterTool, 'tool')).text).toBe('The command has run.')
  })
})

const item = (role: string, text: string) => ({ type: 'message', role, content: [{ type: 'input_text', text }] })
const part = (role: string, text: string) => ({ role, parts: [{ text }] })

/** Two user turns, and one with a tool call that was answered, with what each CLI injects on its own. */
const histories: Record<Protocol, { second: unknown[]; afterTool: unknown[] }> = {
  anthropic: {
    second: [
      {
        role: 'user',
        content: [
          { type: 'text', text: '<system-reminder>x</system-reminder>' },
          { type: 'text', text: 'one' },
        ],
      },
      { role: 'system', content: '# Environment' },
      { role: 'assistant', content: [{ type: 'text', text: 'Reply A' }] },
      { role: 'user', content: 'two' },
    ],
    afterTool: [
      { role: 'user', content: 'one' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: {} }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't1', content: 'ok' },
          { type: 'text', text: 'a note of the CLI' },
        ],
      },
    ],
  },
  'openai-responses': {
    second: [
      item('developer', 'rules'),
      item('user', '<environment_context>x</environment_context>'),
      item('user', 'one'),
      item('assistant', 'Reply A'),
      item('user', 'two'),
    ],
    afterTool: [
      item('user', 'one'),
      { type: 'reasoning', summary: [] },
      { type: 'function_call', call_id: 'c1', name: 'bash', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: 'ok' },
    ],
  },
  'openai-chat': {
    second: [
      { role: 'system', content: 'rules' },
      { role: 'user', content: '<current_datetime>now</current_datetime>\n\none' },
      { role: 'assistant', content: 'Reply A' },
      { role: 'user', content: [{ type: 'text', text: 'two' }] },
    ],
    afterTool: [
      { role: 'user', content: 'one' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'bash', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'ok' },
    ],
  },
  gemini: {
    second: [
      part('user', '<session_context>x</session_context>'),
      part('user', 'one'),
      part('model', 'Reply A'),
      part('user', 'two'),
    ],
    afterTool: [
      part('user', 'one'),
      { role: 'model', parts: [{ functionCall: { name: 'bash', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'bash', response: { output: 'ok' } } }] },
    ],
  },
}

test('each wire reports the token counts its own way', async () => {
  const usage = async (protocol: Protocol) =>
    assemble(protocol, await (await post(protocol, 'thinking', true)).text()).usage
  expect(await usage('anthropic')).toEqual({
    input_tokens: 120,
    cache_read_input_tokens: 1000,
    cache_creation_input_tokens: 30,
    output_tokens: 45,
  })
  expect(await usage('openai-responses')).toMatchObject({
    input_tokens: 1150,
    input_tokens_details: { cached_tokens: 1000 },
    output_tokens: 45,
    output_tokens_details: { reasoning_tokens: 20 },
  })
  expect(await usage('openai-chat')).toMatchObject({ prompt_tokens: 1150, completion_tokens: 45, total_tokens: 1195 })
  expect(await usage('gemini')).toMatchObject({
    promptTokenCount: 1150,
    candidatesTokenCount: 25,
    thoughtsTokenCount: 20,
  })
})

test('slow comes in pieces, and going away is recorded', async () => {
  const controller = new AbortController()
  const response = await fetch(`${server.baseUrl('anthropic', 'slow')}/v1/messages`, {
    method: 'POST',
    body: JSON.stringify(bodyOf('anthropic', true, 'interrupt me')),
    signal: controller.signal,
  })
  await response.body?.getReader().read()
  controller.abort()
  const record = await server.waitForRequest((request) => request.scenario === 'slow')
  await expect.poll(() => record.aborted).toBe(true)
})
