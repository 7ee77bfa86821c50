import { expect, test } from 'vitest'
import { prepareAnswer } from './answer.ts'
import { locate } from './position.ts'
import { subagentReply } from './subagents.ts'
import { readAnthropic } from './wires/anthropic-read.ts'
import { readChat } from './wires/chat-read.ts'
import { readGemini } from './wires/gemini-read.ts'
import { readResponses } from './wires/responses-read.ts'
import { chunksOf } from './wires/wire.ts'

test('codex: tools come flat, added later, in namespaces and from a search', () => {
  const search = { type: 'tool_search', parameters: { type: 'object', properties: { query: { type: 'string' } } } }
  const conversation = readResponses({
    model: 'm',
    tools: [{ type: 'function', name: 'exec_command' }, search, { type: 'web_search' }],
    input: [
      {
        type: 'additional_tools',
        tools: [
          { type: 'namespace', name: 'functions', tools: [{ type: 'custom', name: 'exec' }] },
          { type: 'namespace', name: 'collaboration', tools: [{ type: 'function', name: 'wait_agent' }] },
        ],
      },
      { type: 'message', role: 'user', content: 'go' },
      { type: 'tool_search_call', call_id: 'c' },
      {
        type: 'tool_search_output',
        call_id: 'c',
        tools: [{ type: 'namespace', name: 'mcp__tiny', tools: [{ type: 'function', name: 'echo' }] }],
      },
    ],
  })
  expect(conversation.tools.map(({ name, namespace, kind }) => [name, namespace, kind])).toEqual([
    ['exec_command', undefined, 'function'],
    ['tool_search', undefined, 'search'],
    ['exec', undefined, 'freeform'],
    ['wait_agent', 'collaboration', 'function'],
  ])
  expect(locate(conversation)).toMatchObject({ turn: 1, step: 0, searches: 1 })
  const answer = prepareAnswer(
    { tools: [{ intent: 'mcp', server: 'tiny', tool: 'echo', input: {} }] },
    conversation,
    locate(conversation),
  )
  expect(answer.calls[0]).toMatchObject({ name: 'echo', namespace: 'mcp__tiny' })
})

test('codex: a subagent reads its task, and the parent waits for it', () => {
  const task = [{ type: 'input_text', text: 'Message Type: NEW_TASK' }, { encrypted_content: '[scripted-subagent] go' }]
  expect(locate(readResponses({ input: [{ type: 'agent_message', content: task }] })).last).toContain(
    '[scripted-subagent]',
  )
  const parent = readResponses({
    tools: [{ type: 'function', name: 'wait_agent' }],
    input: [
      { role: 'user', content: 'go' },
      { type: 'function_call', call_id: 'c', name: 'spawn_agent' },
      { type: 'function_call_output', call_id: 'c', output: 'ok' },
    ],
  })
  expect(subagentReply(parent, locate(parent))?.tools).toEqual([{ name: 'wait_agent', input: { timeout_ms: 10_000 } }])
  expect(subagentReply({ ...parent, tools: [] }, locate(parent))).toBeUndefined()
})

test('claude: a deferred tool counts only once a search has referred to it', () => {
  const tools = [{ name: 'mcp__tiny__echo', defer_loading: true, input_schema: { type: 'object' } }]
  const result = {
    type: 'tool_result',
    tool_use_id: 't',
    content: [{ type: 'tool_reference', tool_name: 'mcp__tiny__echo' }],
  }
  expect(readAnthropic({ tools, messages: [] }).tools).toEqual([])
  expect(readAnthropic({ tools, messages: [{ role: 'user', content: [result] }] }).tools).toHaveLength(1)
})

test('gemini: a subagent hands in its answer by complete_task', () => {
  const result = { type: 'object', properties: { response: { type: 'string' } }, required: ['response'] }
  const parametersJsonSchema = { type: 'object', properties: { result }, required: ['result'] }
  const contents = [{ role: 'user', parts: [{ text: '[scripted-subagent] go' }] }]
  const tools = [{ functionDeclarations: [{ name: 'complete_task', parametersJsonSchema }] }]
  const reply = (body: object) => {
    const conversation = readGemini(body, '/v1beta/models/g:generateContent')
    return subagentReply(conversation, locate(conversation))
  }
  expect(reply({ contents, tools })).toEqual({
    tools: [{ name: 'complete_task', input: { result: { response: 'Subagent done.' } } }],
  })
  expect(reply({ contents })).toEqual({ text: 'Subagent done.' })
})

const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false }

test.each([
  ['anthropic', readAnthropic({ output_config: { format: { type: 'json_schema', schema } } })],
  ['openai-responses', readResponses({ text: { format: { type: 'json_schema', name: 'x', schema } } })],
  ['openai-chat', readChat({ response_format: { type: 'json_schema', json_schema: { name: 'x', schema } } })],
  ['gemini', readGemini({ generationConfig: { responseJsonSchema: schema } }, '/v1beta/models/g:generateContent')],
])('%s: json obeys the output schema of the request', (_, conversation) => {
  expect(prepareAnswer({ json: true }, conversation, locate(conversation)).text).toBe('{"n":1}')
})

test('claude: json goes through the StructuredOutput tool, once', () => {
  const tools = [{ name: 'StructuredOutput', input_schema: schema }]
  const first = readAnthropic({ tools, messages: [{ role: 'user', content: 'go' }] })
  expect(prepareAnswer({ json: true }, first, locate(first)).calls[0]).toMatchObject({ input: { n: 1 } })
  const after = { ...locate(first), step: 1 }
  expect(prepareAnswer({ json: true }, first, after).calls).toEqual([])
})

test('chunks never split a character', () => {
  expect(chunksOf('a😀b', 1)).toEqual(['a', '😀', 'b'])
  expect(chunksOf('', 3)).toEqual([])
  expect(chunksOf('abcd', 3)).toEqual(['abc', 'd'])
})
