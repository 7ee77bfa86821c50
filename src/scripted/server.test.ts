import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { bodyOf } from './fixtures/requests.ts'
import { scenarios, startScriptedServer } from './index.ts'

const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body: JSON.stringify(body), headers })

test('the fixed endpoints answer, and the rest is a recorded 404', async () => {
  const server = await startScriptedServer()
  const { url } = server
  expect((await fetch(url, { method: 'HEAD' })).status).toBe(200)
  expect(await (await fetch(`${url}/v1/models`)).json()).toMatchObject({ object: 'list' })
  expect(await (await post(`${url}/v1/messages/count_tokens`, {})).json()).toEqual({ input_tokens: 1150 })
  expect(await (await post(`${url}/v1beta/models/g:countTokens`, {})).json()).toEqual({ totalTokens: 1150 })
  const unknown = await post(`${url}/v1/telemetry?x=1`, { a: 1 })
  expect(unknown.status).toBe(404)
  expect(await unknown.json()).toHaveProperty('error.message')
  expect((await fetch(`${url}/s/no-such-scenario/v1/models`)).status).toBe(404)
  expect(server.requests.map((request) => request.kind)).toEqual([
    'health',
    'models',
    'count-tokens',
    'count-tokens',
    'unhandled',
    'unhandled',
  ])
  expect(server.requests[4]).toMatchObject({ method: 'POST', url: '/v1/telemetry?x=1', body: { a: 1 } })
  await server.close()
})

test('a WebSocket upgrade is refused, so that the client falls back', async () => {
  const server = await startScriptedServer()
  const socket = connect(server.port, '127.0.0.1')
  socket.write('GET /v1/responses HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n')
  const answer = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))))
  expect(answer).toMatch(/^HTTP\/1\.1 426 /)
  await server.close()
})

test('records keep the key as sent, and mask it in JSON', async () => {
  const server = await startScriptedServer()
  await post(`${server.url}/v1/messages`, bodyOf('anthropic', false), { 'x-api-key': 'sk-fake-1' })
  await post(`${server.url}/v1beta/models/g:generateContent?key=sk-fake-2`, bodyOf('gemini', false))
  await post(`${server.url}/v1/messages`, bodyOf('anthropic', false))
  expect(server.requests.map((request) => request.keySent)).toEqual([true, true, false])
  expect(server.requests[0]?.headers['x-api-key']).toBe('sk-fake-1')
  const stored = JSON.stringify(server.requests)
  expect(stored).toContain('x-api-key')
  expect(stored).not.toContain('sk-fake')
  await server.close()
})

test('use changes the default scenario, a prefix wins over it, own scenarios are found', async () => {
  const own = { name: 'own', description: 'mine', turns: [[{ text: 'my own text' }]] }
  const server = await startScriptedServer({ scenarios: { own }, scenario: 'thinking' })
  const say = async (base: string) =>
    await (await post(`${base}/chat/completions`, bodyOf('openai-chat', false))).text()
  expect(await say(server.baseUrl('openai-chat'))).toContain('after thinking')
  server.use('text')
  expect(await say(server.baseUrl('openai-chat'))).toContain('Hello from the scripted model.')
  expect(await say(server.baseUrl('openai-chat', 'own'))).toContain('my own text')
  server.use({ ...own, name: 'inline', turns: [[{ text: 'inline text' }]] })
  expect(await say(server.baseUrl('openai-chat'))).toContain('inline text')
  expect(() => server.use('no-such')).toThrow('unknown scenario no-such')
  expect(server.requests.map((request) => request.scenario)).toEqual(['thinking', 'text', 'own', 'inline'])
  await server.close()
})

test('429-recover fails each conversation once, whatever the others do', async () => {
  const server = await startScriptedServer({ scenario: '429-recover' })
  const status = async (prompt: string) =>
    (await post(`${server.url}/v1/messages`, bodyOf('anthropic', false, prompt))).status
  expect([await status('a'), await status('b'), await status('a'), await status('b'), await status('a')]).toEqual([
    429, 429, 200, 200, 200,
  ])
  server.use('429-recover')
  expect(await status('a')).toBe(429)
  await server.close()
})

test('waitForRequest finds past and future requests, and gives up', async () => {
  const server = await startScriptedServer()
  const future = server.waitForRequest((request) => request.protocol === 'openai-chat')
  await post(`${server.url}/v1/chat/completions`, bodyOf('openai-chat', false))
  expect((await future).turn).toBe(1)
  expect(await server.waitForRequest((request) => request.protocol === 'openai-chat')).toBe(await future)
  await expect(server.waitForRequest(() => false, 20)).rejects.toThrow('no such request within 20 ms')
  await server.close()
})

test('close ends open streams and frees the port', async () => {
  const server = await startScriptedServer({ scenario: 'slow' })
  const response = await post(`${server.url}/v1/messages`, bodyOf('anthropic', true))
  await server.close()
  await expect(response.text()).rejects.toThrow()
  await expect(fetch(server.url)).rejects.toThrow()
  const again = await startScriptedServer({ port: server.port })
  expect(again.port).toBe(server.port)
  await again.close()
})

test('a side call may have all the tools: its schema, or what it asks for, shows it', async () => {
  const server = await startScriptedServer({ scenario: scenarios.tool })
  const url = `${server.url}/v1/chat/completions`
  const schema = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] }
  const format = { type: 'json_schema', json_schema: { name: 'codex_output_schema', schema } }
  await post(url, { ...bodyOf('openai-chat', false, 'Name this thread'), response_format: format })
  const suggestion = 'What next?\n\nReply with ONLY the suggestion, no quotes or explanation.'
  await post(url, bodyOf('openai-chat', false, suggestion))
  await post(url, bodyOf('openai-chat', false, 'Reply with the suggestion'))
  expect(server.requests.map((request) => request.helper)).toEqual([true, true, false])
  await server.close()
})

test('a side call of the agent gets its own short reply', async () => {
  const server = await startScriptedServer({ scenario: scenarios.tool })
  const title = { ...bodyOf('openai-chat', false, 'Generate a title for this conversation'), tools: undefined }
  expect(await (await post(`${server.url}/v1/chat/completions`, title)).text()).toContain('Scripted session')
  const speaker = {
    contents: [{ role: 'user', parts: [{ text: 'Decide on next_speaker' }] }],
    generationConfig: {
      responseJsonSchema: { type: 'object', properties: { next_speaker: { type: 'string', enum: ['user', 'model'] } } },
    },
  }
  const decided = await (await post(`${server.url}/v1beta/models/g:generateContent`, speaker)).text()
  expect(JSON.parse(JSON.parse(decided).candidates[0].content.parts[0].text)).toEqual({ next_speaker: 'user' })
  const loop = {
    systemInstruction: {
      parts: [{ text: 'You determine whether a conversational AI assistant is stuck in an unproductive loop.' }],
    },
    contents: [{ role: 'user', parts: [{ text: 'Please analyze the conversation history.' }] }],
    generationConfig: { responseJsonSchema: { type: 'object', properties: { confidence: { type: 'number' } } } },
  }
  const judged = await (await post(`${server.url}/v1beta/models/g:generateContent`, loop)).text()
  expect(JSON.parse(JSON.parse(judged).candidates[0].content.parts[0].text)).toEqual({ confidence: expect.any(Number) })
  await post(`${server.url}/v1/chat/completions`, bodyOf('openai-chat', false, 'write a title generator'))
  expect(server.requests.map((request) => request.helper)).toEqual([true, true, true, false])
  await server.close()
})
