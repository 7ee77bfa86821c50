import { describe, expect, it } from 'vitest'
import type { RunOptions } from '../../contract/run-options.ts'
import { createDialogue } from './dialogue.ts'
import { drafts, failures, saidIn, writes } from './fixtures/replay.ts'

function live(options: Partial<RunOptions> = {}) {
  const whole = { prompt: 'hello', ...options }
  const dialogue = createDialogue(whole)
  const started = dialogue.start(whole)
  return { dialogue, started, feed: (record: object) => dialogue.onLine(JSON.stringify(record), 'stdout') }
}

const failed = (message: string) => ({
  type: 'result',
  subtype: 'error_during_execution',
  is_error: true,
  error: { message },
})

describe('live', () => {
  it('asks for control before the first message, or there would be none', () => {
    expect(writes(live({ thinkingEffort: 'high' }).started)).toMatchObject([
      { type: 'control_request', request: { subtype: 'initialize', timeout: { canUseTool: 600_000 }, effort: 'high' } },
      { type: 'user', message: { role: 'user', content: 'hello' } },
    ])
  })

  it('has nothing to ask in one-shot runs', () => {
    const { dialogue, started } = live({ nonInteractive: true, outputSchema: {} })
    expect(started).toEqual([])
    expect(dialogue.onCommand({ type: 'interrupt' })).toBeNull()
  })

  it('finds its schema below the prompt, and takes the turn that repairs an answer', () => {
    const { dialogue, started, feed } = live({ outputSchema: { type: 'object' } })
    const content = expect.stringMatching(/^hello\n\n.*JSON schema.*\n{"type":"object"}$/)
    expect(writes(started).at(-1)).toMatchObject({ type: 'user', message: { content } })
    feed({ type: 'result', subtype: 'success', is_error: false, result: '{"city": ' })
    const repair = dialogue.onCommand({ type: 'user_turn', text: 'again' }) ?? []
    expect(writes(repair)).toMatchObject([{ type: 'user', message: { content: 'again' } }])
  })

  it('counts the tokens of each turn, not those of the session', () => {
    const { feed } = live()
    const effects = saidIn('multiturn').flatMap(feed)
    const counted = drafts(effects).flatMap((draft) => (draft.type === 'token_usage' ? [draft.inputTokens] : []))
    expect(counted).toEqual([1000, 1000, 1000])
    expect(drafts(effects).filter(({ type }) => type === 'turn_end')).toHaveLength(2)
    expect(failures(effects)).toEqual([])
  })

  it('makes a steer the next turn', () => {
    const { dialogue, feed } = live()
    expect(dialogue.onCommand({ type: 'steer', text: 'more' })).toEqual([])
    const after = feed({ type: 'result', subtype: 'success', is_error: false, result: '' })
    expect(writes(after)).toMatchObject([{ type: 'user', message: { content: 'more' } }])
  })

  it('reports a denial once, though every result lists it', () => {
    const { feed } = live()
    const result = {
      type: 'result',
      is_error: false,
      permission_denials: [{ tool_name: 'edit', tool_use_id: 't', tool_input: {} }],
    }
    expect(drafts(feed(result)).map(({ type }) => type)).toContain('approval_denied')
    expect(drafts(feed(result)).map(({ type }) => type)).not.toContain('approval_denied')
  })
})

describe('what the CLI says differently', () => {
  it.each([
    ['Operation cancelled.', 'cancelled'],
    ['No auth type is selected. Please configure an auth type', 'auth_required'],
    ['[API Error: 401 Incorrect API key provided]', 'auth_required'],
    ['[API Error: 402 Insufficient credits.]', 'quota_exhausted'],
    ['[API Error: 429 Rate limit reached]\nPossible quota limitations in place', 'rate_limited'],
    ['[API Error: 429 You exceeded your current quota]', 'quota_exhausted'],
    ["[API Error: 400 This model's maximum context length is 128000 tokens.]", 'context_exhausted'],
    ['[API Error: 503 overloaded]', 'failed'],
  ])('%s', (message, kind) => {
    expect(failures(live().feed(failed(message)))[0]?.outcome.kind).toBe(kind)
  })

  it('never shows the words of an API error as the answer, streamed or not', () => {
    const text = '[API Error: 401 no]'
    const { feed } = live()
    const streamed = [
      { type: 'content_block_start', content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', delta: { type: 'text_delta', text } },
      { type: 'content_block_stop' },
    ]
    const whole = { type: 'assistant', message: { id: 'm', content: [{ type: 'text', text }] } }
    const effects = [...streamed.flatMap((event) => feed({ type: 'stream_event', event })), ...feed(whole)]
    expect(effects).toEqual([])
    expect(failures(feed(failed('x')))[0]?.outcome.evidence).toBe(text)
  })

  it('calls plain text in the place of an answer to a schema an invalid output', () => {
    const { feed } = live({ nonInteractive: true, outputSchema: {} })
    const message =
      'Model produced plain text instead of calling the structured_output tool as required by --json-schema after 1 turn(s).'
    expect(failures(feed(failed(message)))).toMatchObject([{ outcome: { kind: 'output_invalid' } }])
  })

  it('shows a streamed block once: the whole one follows under another id', () => {
    const { feed } = live()
    const events = [
      { type: 'message_start', message: { id: 'first' } },
      { type: 'content_block_start', content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', delta: { type: 'text_delta', text: 'hi' } },
      { type: 'content_block_stop' },
    ]
    const effects = [
      ...events.flatMap((event) => feed({ type: 'stream_event', event })),
      ...feed({ type: 'assistant', message: { id: 'other', content: [{ type: 'text', text: 'hi' }] } }),
    ]
    expect(drafts(effects).map(({ type }) => type)).toEqual(['message_start', 'text_delta', 'message_stop'])
  })

  it('follows a sub-agent that goes on in the background', () => {
    const { feed } = live()
    const input = { subagent_type: 'Explore', prompt: 'look' }
    const content = [{ type: 'tool_use', id: 't', name: 'agent', input }]
    const started = { task_id: 'Explore-t', tool_use_id: 't', subagent_type: 'Explore' }
    const launched = { type: 'tool_result', tool_use_id: 't', is_error: false, content: 'launched' }
    const reported = [
      { type: 'assistant', message: { id: 'm', content } },
      { type: 'system', subtype: 'task_started', data: started },
      { type: 'user', message: { content: [launched] } },
      { type: 'system', subtype: 'task_notification', data: { task_id: 'Explore-t', status: 'completed' } },
    ].flatMap(feed)
    expect(drafts(reported).filter(({ type }) => type.startsWith('subagent'))).toEqual([
      { type: 'subagent_spawn', subagentId: 't', agentName: 'Explore', prompt: 'look' },
      { type: 'subagent_result', subagentId: 't', agentName: 'Explore', summary: '' },
    ])
  })

  it('announces a retry once', () => {
    const { feed } = live()
    const retry = (data: object) => drafts(feed({ type: 'system', subtype: 'retry', data })).map(({ type }) => type)
    expect(retry({ reason: 'retry', attempt: 1, maxRetries: 10, delayMs: 60_000 })).toEqual(['retry', 'rate_limited'])
    expect(retry({ reason: 'retry' })).toEqual([])
    expect(retry({ reason: 'retry' })).toEqual(['retry'])
  })

  it('reads how a command ended', () => {
    const { feed } = live()
    const input = { command: 'x' }
    feed({
      type: 'assistant',
      message: { id: 'm', content: [{ type: 'tool_use', id: 't', name: 'run_shell_command', input }] },
    })
    const content = 'Command: x\nDirectory: (root)\nOutput: oops\nError: (none)\nExit Code: 3\nSignal: (none)\n'
    const block = { type: 'tool_result', tool_use_id: 't', is_error: true, content }
    expect(drafts(feed({ type: 'user', message: { content: [block] } }))).toMatchObject([
      { type: 'shell_stdout_delta', delta: 'oops' },
      { type: 'shell_exit', exitCode: 3 },
      { type: 'tool_error' },
    ])
  })
})

describe('exit', () => {
  const exit = (exitCode: number | null, stderr = '', signal: string | null = null) =>
    failures(live().dialogue.onExit({ exitCode, signal, stderr }))[0]?.outcome

  it('knows what ends without a result', () => {
    expect(exit(53, 'Reached max session turns for this session.')).toMatchObject({ kind: 'turn_limit' })
    expect(exit(1, 'No saved session found with ID x.')).toMatchObject({ code: 'SESSION_NOT_FOUND' })
    expect(exit(1, 'Error: Session Id x already exists')).toMatchObject({ code: 'VALIDATION_ERROR' })
    expect(exit(1, 'Unknown arguments: such-flag')).toMatchObject({ code: 'VALIDATION_ERROR' })
    expect(exit(null, '', 'SIGTERM')).toMatchObject({ kind: 'cancelled' })
    expect(exit(0)).toMatchObject({ kind: 'protocol_drift' })
  })
})
