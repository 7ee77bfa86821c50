import type { Reply, Scenario, ToolIntent } from './types.ts'

/** Distinguished from the main agent's prompt by this mark, so that the subagent does not start a subagent again. */
export const subagentMark = '[scripted-subagent]'

// A command that ends at once sometimes comes back empty through a CLI's pty under load: let it take a second.
const shell = (output: string): ToolIntent => ({ intent: 'shell', command: `sleep 1; echo ${output}` })

const always = (name: string, description: string, ...replies: Reply[]): Scenario => ({
  name,
  description,
  turns: [replies],
})

// No two pieces are alike: gemini and others stop a model that repeats itself.
const numbered = (count: number, text: string): string =>
  Array.from({ length: count }, (_, index) => `${index + 1} ${text}`).join('')

const list: Scenario[] = [
  always('text', 'one short text', { text: 'Hello from the scripted model.' }),
  always('thinking', 'thinking, then text', {
    thinking: '**Considering the question**\n\nLet me think step by step.',
    text: 'The answer after thinking is 42.',
  }),
  always(
    'tool',
    'one shell command, then text',
    { text: 'I will run a command.', tools: [shell('scripted-tool-output')] },
    { text: 'The command has run.' },
  ),
  always(
    'piped-tool',
    'a piped shell command that goes on after it has printed, then text',
    { tools: [{ intent: 'shell', command: 'echo scripted-piped-output | tee piped.txt && sleep 2' }] },
    { text: 'The slow command has run.' },
  ),
  always(
    'write',
    'writes scripted.txt with the file tool, then text',
    { tools: [{ intent: 'write', path: 'scripted.txt', content: 'written by the scripted model\n' }] },
    { text: 'The file is written.' },
  ),
  always(
    'tools',
    'three shell commands in one reply, then text',
    {
      text: 'I will run three commands.',
      tools: [shell('scripted-one'), shell('scripted-two'), shell('scripted-three')],
    },
    { text: 'All three commands have run.' },
  ),
  always(
    'mcp',
    'calls the tool echo of the MCP server tiny, then text',
    { tools: [{ intent: 'mcp', server: 'tiny', tool: 'echo', input: { text: 'ping' } }] },
    { text: 'The MCP tool has answered.' },
  ),
  always(
    'subagent',
    'starts a subagent, which answers one text, then text',
    { tools: [{ intent: 'subagent', prompt: `${subagentMark} Say that you are done.` }] },
    { text: 'The subagent has answered.' },
  ),
  always(
    'question',
    'asks the user a question with two options, then text',
    { tools: [{ intent: 'question', question: 'Which colour do you like?', options: ['Red', 'Blue'] }] },
    { text: 'Thank you for the answer.' },
  ),
  always('slow', 'a text in small pieces over half a minute, to be interrupted', {
    text: numbered(200, 'slow words '),
    chunkSize: 8,
    chunkDelayMs: 100,
  }),
  always(
    'slow-tool',
    'a shell command that sleeps half a minute, to be interrupted',
    { tools: [{ intent: 'shell', command: 'echo scripted-slow-tool-start; sleep 25' }] },
    { text: 'The slow command has run.' },
  ),
  always(
    'environment',
    'a shell command that writes its environment to scripted-environment.txt, then text',
    { tools: [{ intent: 'shell', command: 'sleep 1; env > scripted-environment.txt' }] },
    { text: 'The environment is written down.' },
  ),
  always('long', 'about 200 KB of text', {
    text: numbered(4700, 'is a line of the long scripted answer.\n'),
    chunkSize: 2000,
  }),
  {
    name: 'multi-turn',
    description: 'a different text in the first turn and in later ones, which tell the number of turns seen',
    turns: [
      [{ text: 'Reply A: this is turn {turn}.' }],
      [{ text: 'Reply B: I have seen {turn} user turns, and the first one said: {first}' }],
    ],
  },
  always('loop', 'asks for one more shell command for ever', {
    tools: [{ intent: 'shell', command: 'sleep 1; echo scripted-step-{step}' }],
  }),
  always('401', 'the key is wrong', { fail: '401' }),
  always('403', 'the key may not do this', { fail: '403' }),
  always('404-model', 'the model does not exist', { fail: '404-model' }),
  always('429', 'rate limited, retry after a second', { fail: '429', retryAfterSeconds: 1 }),
  always(
    '429-recover',
    'rate limited once per turn, then text',
    { fail: '429', retryAfterSeconds: 1, times: 1 },
    { text: 'Hello after one rate limit.' },
  ),
  always('429-bare', 'rate limited, without a word about how long', { fail: '429' }),
  always('429-far', 'rate limited, retry after an hour', { fail: '429', retryAfterSeconds: 3600 }),
  always('quota', 'the plan is used up', { fail: 'quota' }),
  always('credit', 'no money left', { fail: 'credit' }),
  always('500', 'internal server error', { fail: '500' }),
  always('overloaded', 'the provider is overloaded', { fail: 'overloaded' }),
  always('context', 'the conversation does not fit the model', { fail: 'context' }),
  always('context-400', 'the same as an HTTP 400 on every wire', { fail: 'context-400' }),
  always('refusal', 'the model refuses', { text: 'I cannot help with that.', stop: 'refusal' }),
  always('cut', 'the connection breaks in the middle of the text', {
    text: 'This sentence will never reach its end because the connection breaks.',
    cutAfterChars: 30,
  }),
  always(
    'cut-recover',
    'the connection breaks in the middle of the text once, then text',
    { text: 'This sentence breaks off before it ends.', chunkSize: 4, cutAfterChars: 20, times: 1 },
    { text: 'Hello after one broken response.' },
  ),
  always(
    'end-recover',
    'the response ends in the middle of the text once, then text',
    { text: 'This sentence breaks off before it ends.', chunkSize: 4, cutAfterChars: 20, cutsCleanly: true, times: 1 },
    { text: 'Hello after one broken response.' },
  ),
  always('json', 'JSON that fits the output schema of the request', { json: true, text: '{"scripted":true}' }),
  always(
    'escalate',
    'a command that needs approval, then text',
    { tools: [{ intent: 'shell', command: 'touch made-by-tool.txt', escalate: true }] },
    { text: 'The command was decided on.' },
  ),
]

/** The built-in scenarios by name. */
export const scenarios: Readonly<Record<string, Scenario>> = Object.fromEntries(
  list.map((scenario) => [scenario.name, scenario]),
)

/** The names of the built-in scenarios. */
export const scenarioNames: readonly string[] = list.map((scenario) => scenario.name)
