import { describe, expect, test } from 'vitest'
import type { Effect } from '../../../contract/dialogue.ts'
import type { RunOptions } from '../../../contract/run-options.ts'
import { parseRecord } from '../../../core/json.ts'
import { EXIT_WORDS, type PiDialect } from './dialect.ts'
import { piDialogue } from './dialogue.ts'

const dialect: PiDialect = {
  agent: 'pi',
  displayName: 'Pi',
  guidance: 'log in',
  tools: { bash: { kind: 'shell', command: 'command' } },
  silent: new Set(['turn_start']),
  mcpPrefix: 'mcp__amux_',
  deniedText: /^agent-mux: |denied by user/,
  maxRetries: 3,
  exitWords: EXIT_WORDS,
}

function talk(options: Partial<RunOptions> = {}) {
  const dialogue = piDialogue(dialect, { prompt: 'first', ...options })
  const started = dialogue.start({ prompt: 'first', ...options })
  const say = (record: object): Effect[] => dialogue.onLine(JSON.stringify(record), 'stdout')
  return { dialogue, started, say }
}

const writes = (effects: readonly Effect[] | null) =>
  (effects ?? []).flatMap((effect) => ('write' in effect ? [parseRecord(effect.write)] : []))
const emitted = (effects: readonly Effect[]) => effects.flatMap((effect) => ('emit' in effect ? [effect.emit] : []))
const types = (effects: readonly Effect[]) => emitted(effects).map(({ type }) => type)
const outcomes = (effects: readonly Effect[]) =>
  effects.flatMap((effect) => ('fail' in effect ? [effect.fail.outcome.kind] : []))

const reply = (fields: object = {}) => ({
  type: 'message_end',
  message: { role: 'assistant', content: [], provider: 'p', model: 'm', stopReason: 'stop', ...fields },
})
const failed = (errorMessage: string) => reply({ stopReason: 'error', errorMessage })

describe('the live form', () => {
  test('asks for the state, then prompts with the images and the names of files', () => {
    const attachments = [{ base64: 'AAAA', mimeType: 'image/png' }, { filePath: '/w/note.txt' }]
    const { started, say } = talk({ attachments })
    expect(writes(started)).toEqual([
      { id: '1', type: 'get_state' },
      {
        id: '2',
        type: 'prompt',
        message: 'first\n\n@/w/note.txt',
        images: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }],
      },
    ])
    const data = { sessionId: 's1', model: { id: 'm', provider: 'p' } }
    const effects = say({ type: 'response', command: 'get_state', success: true, data })
    expect(emitted(effects)).toMatchObject([{ type: 'session_start', sessionId: 's1', resumed: false }])
    expect(effects).toContainEqual({ model: 'm' })
  })

  test('turns wait for one another, and the end waits for both', () => {
    const { dialogue, say } = talk()
    say({ type: 'agent_start' })
    expect(dialogue.onCommand({ type: 'user_turn', text: 'second' })).toEqual([])
    expect(dialogue.onCommand({ type: 'close' })).toEqual([])
    expect(writes(say({ type: 'agent_settled' }))).toMatchObject([{ type: 'prompt', message: 'second' }])
    expect(dialogue.busy?.()).toBe(true)
    expect(say({ type: 'agent_settled' })).toContainEqual({ closeStdin: true })
  })

  test('an interrupt takes back what was steered, and cancels the turn', () => {
    const { dialogue, say } = talk()
    say({ type: 'agent_start' })
    expect(writes(dialogue.onCommand({ type: 'steer', text: 'left' }))).toMatchObject([{ type: 'steer' }])
    expect(writes(dialogue.onCommand({ type: 'interrupt' }))).toMatchObject([
      { type: 'clear_queue' },
      { type: 'abort' },
    ])
    say(failed('This operation was aborted'))
    expect(outcomes(say({ type: 'agent_settled', aborted: true }))).toEqual(['cancelled'])
    expect(say({ type: 'response', command: 'abort', success: true })).toEqual([])
  })

  test('an interrupt while only a background command runs ends the turn with its answer', () => {
    const { dialogue, say } = talk()
    say({ type: 'agent_start' })
    say(reply())
    expect(say({ type: 'agent_end', isTerminal: false })).toEqual([])
    dialogue.onCommand({ type: 'interrupt' })
    expect(outcomes(say({ type: 'response', command: 'abort', success: true }))).toEqual(['cancelled'])
  })

  test('models by name, with and without their provider', () => {
    const { dialogue, say } = talk()
    expect(dialogue.onCommand({ type: 'set_model', model: 'x' })).toBeNull()
    say({ type: 'response', command: 'get_state', success: true, data: { model: { id: 'm', provider: 'p' } } })
    const ask = (model: string) => writes(dialogue.onCommand({ type: 'set_model', model }))
    expect(ask('x')).toMatchObject([{ provider: 'p', modelId: 'x' }])
    expect(ask('q/y/z')).toMatchObject([{ provider: 'q', modelId: 'y/z' }])
    const endpoint = { baseUrl: 'http://localhost', apiKey: 'k' }
    const other = talk({ endpoint }).dialogue.onCommand({ type: 'set_model', model: 'q/y' })
    expect(writes(other)).toMatchObject([{ provider: 'amux', modelId: 'q/y' }])
  })

  test('a prompt that is refused, or dealt with by a command, ends the turn', () => {
    const refused = talk().say({
      type: 'response',
      command: 'prompt',
      success: false,
      error: 'No API key found for x.',
    })
    expect(outcomes(refused)).toEqual(['auth_required'])
    expect(types(refused)).toEqual(['turn_end'])
    const { say } = talk()
    say({ type: 'command_output', text: 'No servers.' })
    expect(types(say({ type: 'response', command: 'prompt', success: true, data: { agentInvoked: false } }))).toEqual([
      'turn_end',
    ])
  })
})

describe('the end of a turn', () => {
  test('before 1.0 a failure waits for what follows, and we ask for it', () => {
    const { say } = talk()
    say({ type: 'agent_start' })
    say(failed('429 slow down'))
    expect(writes(say({ type: 'agent_end' }))).toMatchObject([{ type: 'get_state' }])
    expect(
      types(say({ type: 'auto_retry_start', attempt: 1, maxAttempts: 3, delayMs: 5, errorMessage: '429 x' })),
    ).toEqual(['attempt_withdrawn', 'retry', 'rate_limited'])
    expect(types(say({ type: 'response', command: 'get_state', success: true, data: {} }))).toEqual([])
    say({ type: 'agent_start' })
    say(failed('401 no'))
    say({ type: 'agent_end' })
    const end = say({ type: 'response', command: 'get_state', success: true, data: {} })
    expect(outcomes(end)).toEqual(['auth_required'])
    expect(types(end)).toEqual(['turn_end'])
  })

  test('a failed compaction leaves the overflow as the reason', () => {
    const { say } = talk()
    say({ type: 'agent_start' })
    say(failed("400 This model's maximum context length is 8192 tokens."))
    say({ type: 'agent_end' })
    say({ type: 'compaction_start', reason: 'overflow' })
    expect(say({ type: 'response', command: 'get_state', success: true, data: {} })).toEqual([])
    expect(outcomes(say({ type: 'compaction_end', aborted: false, errorMessage: 'no' }))).toEqual(['context_exhausted'])
  })

  test('too many retries end the run, and nothing after them counts', () => {
    const { say } = talk()
    say({ type: 'agent_start' })
    const effects = say({ type: 'auto_retry_start', attempt: 4, maxAttempts: 10, delayMs: 5, errorMessage: '429 x' })
    expect(effects).toContainEqual({ fail: expect.objectContaining({ endNow: true }) })
    expect(say({ type: 'agent_start' })).toEqual([])
  })

  test('the one-shot form exits with 0 after a failure', () => {
    const { dialogue, say } = talk({ nonInteractive: true })
    say({ type: 'agent_start' })
    say(failed('500: {"message":"oops"}'))
    say({ type: 'agent_end' })
    const effects = dialogue.onExit({ exitCode: 0, signal: null, stderr: '' })
    expect(effects[0]).toMatchObject({ fail: { outcome: { kind: 'failed', evidence: '500 oops' } } })
    expect(dialogue.onCommand({ type: 'interrupt' })).toBeNull()
  })
})

describe('approvals and questions', () => {
  const call = { toolCallId: 'c1', toolName: 'bash', input: { command: 'ls' } }
  const gate = { type: 'extension_ui_request', id: 'u1', method: 'confirm', title: 'agent-mux approval' }
  const select = { type: 'extension_ui_request', id: 'u2', method: 'select', options: ['Approve', 'Deny'] }

  test('our own gate names the call', () => {
    const { dialogue, say } = talk()
    const effects = say({ ...gate, message: JSON.stringify(call) })
    expect(emitted(effects)).toMatchObject([{ type: 'approval_request', interactionId: 'u1', toolCallId: 'c1' }])
    expect(dialogue.onCommand({ type: 'answer', interactionId: 'u1', text: 'yes' })).toBeNull()
    expect(writes(dialogue.onCommand({ type: 'approve', interactionId: 'u1' }))).toEqual([
      { type: 'extension_ui_response', id: 'u1', confirmed: true },
    ])
    expect(dialogue.onCommand({ type: 'approve', interactionId: 'u1' })).toBeNull()
  })

  test('a question about a tool is matched with the call that was announced', () => {
    const { dialogue, say } = talk()
    say({ type: 'message_update', assistantMessageEvent: { type: 'toolcall_start', id: 'c1', toolName: 'bash' } })
    const effects = say({ ...select, title: 'Allow tool: bash\nCommand: ls' })
    expect(emitted(effects)).toMatchObject([{ toolCallId: 'c1', toolName: 'bash', detail: 'Command: ls' }])
    expect(writes(dialogue.onCommand({ type: 'deny', interactionId: 'u2' }))).toMatchObject([{ value: 'Deny' }])
    const end = {
      toolCallId: 'c1',
      toolName: 'bash',
      isError: true,
      result: { content: 'Tool call denied by user: bash' },
    }
    expect(types(say({ type: 'tool_execution_end', ...end }))).toEqual(['shell_exit', 'tool_error'])
  })

  test('in a recording the result of the call shows the answer', () => {
    const dialogue = piDialogue(dialect, { prompt: '' })
    const say = (record: object) => dialogue.onLine(JSON.stringify(record), 'stdout')
    say({ ...gate, message: JSON.stringify(call) })
    const end = { type: 'tool_execution_end', toolCallId: 'c1', toolName: 'bash', result: { content: 'a' } }
    expect(types(say(end))).toEqual(['approval_granted', 'shell_stdout_delta', 'shell_exit', 'tool_result'])
  })

  test('what a policy refuses is a denial of its own', () => {
    const { say } = talk()
    const result = { content: [{ type: 'text', text: 'agent-mux: nobody is there to ask.' }] }
    const end = { type: 'tool_execution_end', toolCallId: 'c1', toolName: 'write', isError: true, result }
    expect(types(say(end))).toEqual(['approval_request', 'approval_denied', 'tool_error'])
  })

  test('questions take one of their options, or are cancelled', () => {
    const { dialogue, say } = talk()
    const asked = say({ ...select, title: 'Colour?', options: ['Red', 'Blue'] })
    expect(emitted(asked)).toMatchObject([{ type: 'input_required', question: 'Colour?', options: ['Red', 'Blue'] }])
    expect(dialogue.onCommand({ type: 'approve', interactionId: 'u2' })).toBeNull()
    expect(writes(dialogue.onCommand({ type: 'answer', interactionId: 'u2', text: 'blue ' }))).toMatchObject([
      { value: 'Blue' },
    ])
    say({ ...select, method: 'input', title: 'Name?' })
    expect(writes(dialogue.onCommand({ type: 'deny', interactionId: 'u2' }))).toMatchObject([{ cancelled: true }])
  })
})

describe('replies and calls', () => {
  test('what was not streamed comes with the whole reply', () => {
    const content = [
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'Hello' },
    ]
    const usage = { input: 5, output: 7, cacheRead: 3, cacheWrite: 2, reasoningTokens: 1, cost: { total: 0.5 } }
    const effects = talk().say(reply({ content, usage }))
    expect(types(effects)).toEqual(['thinking_delta', 'text_delta', 'message_stop', 'token_usage', 'cost'])
    expect(emitted(effects)[3]).toMatchObject({
      inputTokens: 10,
      outputTokens: 7,
      thinkingTokens: 1,
      cacheReadTokens: 3,
    })
  })

  test('a model without a price costs nothing that we would tell', () => {
    const usage = { input: 5, output: 7, cost: { total: 0 } }
    expect(types(talk().say(reply({ usage })))).toEqual(['token_usage'])
  })

  test('output is shown as it comes, without what the CLI adds', () => {
    const { say } = talk()
    const about = { toolCallId: 'c1', toolName: 'bash' }
    const update = (text: string) =>
      say({ type: 'tool_execution_update', ...about, partialResult: { content: [{ type: 'text', text }] } })
    expect(emitted(update('a\n'))).toMatchObject([{ type: 'shell_stdout_delta', delta: 'a\n' }])
    expect(emitted(update('a\nb\n'))).toMatchObject([{ delta: 'b\n' }])
    const result = { content: [{ type: 'text', text: 'a\nb\n\n\nCommand exited with code 3' }] }
    const end = emitted(say({ type: 'tool_execution_end', ...about, isError: true, result }))
    expect(end).toMatchObject([{ type: 'shell_exit', exitCode: 3 }, { type: 'tool_error' }])
  })

  test('tools of the own MCP servers get the shared spelling', () => {
    const { say } = talk({ mcpServers: [{ name: 'My-Tiny', command: 'x' }] })
    const effects = say({ type: 'tool_execution_start', toolCallId: 'c', toolName: 'mcp__amux_my_tiny_echo', args: {} })
    expect(emitted(effects)[1]).toMatchObject({ type: 'mcp_tool_call_start', server: 'My-Tiny', toolName: 'echo' })
  })

  test('sub-agents, and records that nobody knows', () => {
    const { say } = talk()
    const payload = { id: 'a1', agent: 'task', status: 'failed' }
    expect(types(say({ type: 'subagent_lifecycle', payload }))).toEqual(['subagent_error'])
    expect(say({ type: 'turn_start' })).toEqual([])
    expect(say({ type: 'news' })).toEqual([{ unrecognized: 'news' }])
  })
})
