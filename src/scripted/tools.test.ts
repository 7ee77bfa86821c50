import { expect, test } from 'vitest'
import type { Conversation, ToolDeclaration } from './conversation.ts'
import { locate } from './position.ts'
import { fillSchema, type JsonSchema } from './schema.ts'
import { typedText } from './synthetic.ts'
import { resolveTool } from './tools/resolve.ts'
import { textForm } from './tools/text-forms.ts'
import { workingDirectory } from './tools/working-directory.ts'
import type { ToolIntent } from './types.ts'

const declare = (name: string, properties: Record<string, JsonSchema> = {}, more: Partial<ToolDeclaration> = {}) => ({
  name,
  kind: 'function' as const,
  description: '',
  schema: { type: 'object', properties, required: Object.keys(properties) },
  ...more,
})

const conversation = (tools: ToolDeclaration[], more: Partial<Conversation> = {}): Conversation => ({
  protocol: 'openai-chat',
  model: 'm',
  stream: true,
  system: '',
  context: '',
  entries: [{ role: 'user', text: 'go' }],
  tools,
  session: '',
  ...more,
})

const resolve = (intent: ToolIntent, tools: ToolDeclaration[], more: Partial<Conversation> = {}, searches = 0) => {
  const call = resolveTool(intent, conversation(tools, more), searches)
  return call && { name: call.name, input: call.input, ...(call.namespace && { namespace: call.namespace }) }
}

const text = { type: 'string' }
const shell: ToolIntent = { intent: 'shell', command: 'ls' }
const write: ToolIntent = { intent: 'write', path: 'a.txt', content: 'x\ny\n' }
const mcp: ToolIntent = { intent: 'mcp', server: 'tiny', tool: 'echo', input: { text: 'ping' } }

test.each([
  ['claude', declare('Bash', { command: text }), { command: 'ls' }],
  ['codex', declare('exec_command', { cmd: text }), { cmd: 'ls' }],
  ['older codex', declare('shell', { command: { type: 'array', items: text } }), { command: ['bash', '-lc', 'ls'] }],
  ['cline', declare('run_commands', { commands: { type: 'array', items: text } }), { commands: ['ls'] }],
  [
    'droid',
    declare('Execute', { command: text, riskLevel: { type: 'string', enum: ['low', 'high'] } }),
    { command: 'ls', riskLevel: 'low' },
  ],
  [
    'copilot',
    declare('bash', { command: text, description: text, timeout_ms: { type: 'number' } }),
    { command: 'ls', description: 'Scripted command', timeout_ms: 60_000 },
  ],
  ['an unknown agent', declare('my_terminal', { command: text }), { command: 'ls' }],
])('the shell of %s is found and filled', (_, tool, input) => {
  expect(resolve(shell, [declare('other', { command: text }), tool])).toEqual({ name: tool.name, input })
})

test('an escalated command carries the permission only where the schema has it', () => {
  const tool = declare('exec_command', { cmd: text })
  tool.schema.properties = { ...tool.schema.properties, sandbox_permissions: text, justification: text }
  expect(resolve({ ...shell, escalate: true } as ToolIntent, [tool])?.input).toEqual({
    cmd: 'ls',
    sandbox_permissions: 'require_escalated',
    justification: 'The scripted model asks for approval.',
  })
  expect(resolve(shell, [tool])?.input).toEqual({ cmd: 'ls' })
})

test('files are written by a file tool with an absolute path, or by a patch', () => {
  const context = ' - Primary working directory: /home/me/proj\n - Is a git repository: false'
  expect(resolve(write, [declare('Write', { file_path: text, content: text })], { context })?.input).toEqual({
    file_path: '/home/me/proj/a.txt',
    content: 'x\ny\n',
  })
  expect(resolve(write, [declare('apply_patch', {}, { kind: 'freeform' })], { context })?.input).toBe(
    '*** Begin Patch\n*** Add File: a.txt\n+x\n+y\n*** End Patch\n',
  )
})

test('newer codex models get JavaScript for their exec tool', () => {
  const exec = declare('exec', {}, { kind: 'freeform', description: 'Run JavaScript code to compose tool calls' })
  expect(resolve(shell, [exec])?.input).toContain('await tools.exec_command({"cmd":"ls"')
  expect(resolve(mcp, [exec])?.input).toContain('await tools.mcp__tiny__echo({"text":"ping"})')
  expect(resolve({ intent: 'question', question: '?', options: ['a'] }, [exec])).toBeUndefined()
})

test.each(['mcp__tiny__echo', 'tiny_echo', 'tiny-echo', 'mcp_tiny_echo', 'tiny___echo'])('the MCP tool %s', (name) => {
  expect(resolve(mcp, [declare('echo'), declare(name)])).toEqual({ name, input: { text: 'ping' } })
})

test('a deferred MCP tool is searched for, then called as the search announced it', () => {
  const search = declare('ToolSearch', { query: text, max_results: { type: 'number', default: 5 } })
  expect(resolve(mcp, [search])).toEqual({
    name: 'ToolSearch',
    input: { query: 'select:mcp__tiny__echo', max_results: 5 },
  })
  const found = resolve(mcp, [search], { context: 'Deferred tools:\nLoop\ntiny___echo\n' })
  expect(found?.input).toMatchObject({ query: 'select:tiny___echo' })
  const announced = {
    role: 'result' as const,
    id: '1',
    text: '',
    tools: [declare('echo', {}, { namespace: 'mcp__tiny' })],
  }
  expect(resolve(mcp, [search], { entries: [announced] })).toEqual({
    name: 'echo',
    namespace: 'mcp__tiny',
    input: { text: 'ping' },
  })
  const inText = {
    role: 'result' as const,
    id: '1',
    text: '<function>{"name":"mcp__tiny__echo","parameters":{}}</function>',
  }
  expect(resolve(mcp, [search], { entries: [inText] })?.name).toBe('mcp__tiny__echo')
  expect(resolve(mcp, [search], {}, 2)).toBeUndefined()
})

test('a question fits the schema of the asking tool', () => {
  const option = { type: 'object', properties: { label: text, description: text }, required: ['label', 'description'] }
  const item = {
    type: 'object',
    properties: {
      question: text,
      header: text,
      options: { type: 'array', items: option },
      multiSelect: { type: 'boolean' },
    },
    required: ['question', 'header', 'options', 'multiSelect'],
  }
  const intent: ToolIntent = { intent: 'question', question: 'Which?', options: ['Red', 'Blue'] }
  expect(resolve(intent, [declare('AskUserQuestion', { questions: { type: 'array', items: item } })])?.input).toEqual({
    questions: [
      {
        question: 'Which?',
        header: 'Scripted',
        options: [
          { label: 'Red', description: 'The option Red' },
          { label: 'Blue', description: 'The option Blue' },
        ],
        multiSelect: false,
      },
    ],
  })
  expect(
    resolve(intent, [declare('ask_user', { question: text, choices: { type: 'array', items: text } })])?.input,
  ).toEqual({ question: 'Which?', choices: ['Red', 'Blue'] })
})

test('a subagent gets its prompt and a kind', () => {
  const tool = declare('task', { description: text, prompt: text, subagent_type: text })
  expect(resolve({ intent: 'subagent', prompt: 'p' }, [tool])?.input).toEqual({
    description: 'Scripted subagent',
    prompt: 'p',
    subagent_type: 'general',
  })
})

test('schemas are filled by type, bound, reference and choice', () => {
  const schema: JsonSchema = {
    type: 'object',
    $defs: { size: { type: 'integer', minimum: 7 } },
    properties: {
      kind: { const: 'k' },
      size: { $ref: '#/$defs/size' },
      list: { type: 'array', items: { type: 'boolean' }, minItems: 2 },
      maybe: { anyOf: [{ type: 'null' }, { type: 'string', enum: ['x'] }] },
      day: { type: ['string', 'null'], format: 'date' },
      upper: { type: 'STRING' },
    },
    required: ['kind', 'size', 'list'],
  }
  expect(fillSchema(schema)).toEqual({ kind: 'k', size: 7, list: [false, false] })
  expect(fillSchema(schema, { optional: true })).toEqual({
    kind: 'k',
    size: 7,
    list: [true, true],
    maybe: 'x',
    day: '2026-01-01',
    upper: 'scripted',
  })
})

test('what a CLI injects is not typed by the user', () => {
  expect(typedText('<system-reminder>\nbe good\n</system-reminder>\n')).toBe('')
  expect(typedText('<current_datetime>now</current_datetime>\n\ndo it')).toBe('do it')
  expect(typedText('# AGENTS.md instructions for /x')).toBe('')
  expect(typedText('[Request interrupted by user]')).toBe('')
  expect(typedText('explain <div> tags')).toBe('explain <div> tags')
})

test('the position counts turns and tool rounds, not messages and calls', () => {
  const user = (words: string) => ({ role: 'user' as const, text: words })
  const call = (name: string) => ({ role: 'call' as const, id: '', name })
  const result = { role: 'result' as const, id: '', text: '' }
  const said = { role: 'assistant' as const, text: 'ok' }
  const at = (entries: Conversation['entries']) => locate(conversation([], { entries }))
  expect(at([])).toMatchObject({ turn: 1, step: 0 })
  expect(at([user('a'), user('b')])).toMatchObject({ turn: 1, step: 0, first: 'a', last: 'b' })
  expect(at([user('a'), call('x'), call('y'), result, result])).toMatchObject({ turn: 1, step: 1 })
  expect(at([user('a'), call('x'), result, call('ToolSearch'), result])).toMatchObject({ step: 1, searches: 1 })
  expect(at([user('a'), call('x'), result, said, user('b')])).toMatchObject({ turn: 2, step: 0 })
  expect(at([user('a'), call('x'), result, user('b'), call('x'), result])).toMatchObject({ turn: 2, step: 1 })
})

test.each([
  ['<cwd>/a/b</cwd>', '/a/b'],
  ["I'm currently working in the directory: /a/b\n", '/a/b'],
  ['- **Workspace Directories:**\n  - /a/b\n', '/a/b'],
  ['  Working directory: /a/b\n  Workspace root folder: /a', '/a/b'],
  ["The project's temporary directory is: /tmp/x", undefined],
])('the working directory in %j', (context, directory) => {
  expect(workingDirectory(context)).toBe(directory)
})

test('for aider an edit and a command are forms of text, by what its prompt asks for', () => {
  const blocks = conversation([], { system: 'Use a *SEARCH/REPLACE block*.' })
  const whole = conversation([], { system: 'Use this *file listing* format.' })
  expect(textForm(write, blocks)).toBe('a.txt\n```\n<<<<<<< SEARCH\n=======\nx\ny\n>>>>>>> REPLACE\n```')
  expect(textForm(write, whole)).toBe('a.txt\n```\nx\ny\n```')
  expect(textForm(shell, blocks)).toBe('```bash\nls\n```')
  expect([textForm(shell, whole), textForm(write, conversation([])), textForm(mcp, blocks)]).toEqual([
    ...[undefined, undefined, undefined],
  ])
})

test('what aider says to its model in the name of the user was not typed', () => {
  expect(typedText('hello\n\n# *SEARCH/REPLACE block* Rules:\n\nEvery block …')).toBe('hello')
  expect(typedText('hello\n\nTo suggest changes to a file you MUST return …')).toBe('hello')
  expect(typedText('I switched to a new code base. Please …')).toBe('')
})
