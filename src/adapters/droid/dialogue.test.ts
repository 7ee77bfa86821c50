import { describe, expect, test } from 'vitest'
import type { Dialogue, Effect } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { createDialogue } from './dialogue.ts'

const writes = (effects: Effect[] | null) =>
  (effects ?? []).flatMap((effect) => ('write' in effect ? [JSON.parse(effect.write)] : []))
const emits = (effects: Effect[] | null) => (effects ?? []).flatMap((effect) => ('emit' in effect ? [effect.emit] : []))

const rpc = (dialogue: Dialogue, message: object) =>
  dialogue.onLine(JSON.stringify({ jsonrpc: '2.0', ...message }), 'stdout')
const note = (dialogue: Dialogue, notification: object) =>
  rpc(dialogue, { method: 'droid.session_notification', params: { notification } })

/** A dialogue whose session has begun. */
function begun(options: Partial<RunOptions> = {}): { dialogue: Dialogue; first: Effect[] } {
  const given = { agent: 'droid', prompt: 'first', cwd: '/w', ...options }
  const dialogue = createDialogue(given)
  const [request] = writes(dialogue.start(given))
  const first = rpc(dialogue, {
    type: 'response',
    id: request.id,
    result: { sessionId: 's1', session: {}, settings: {} },
  })
  return { dialogue, first }
}

test('starts a session with what the options ask for, then sends the prompt', () => {
  const options = { agent: 'droid', prompt: 'first words', cwd: '/w', approvalMode: 'accept-edits' } as const
  const dialogue = createDialogue(options)
  const [request] = writes(dialogue.start(options))
  expect(request).toMatchObject({
    method: 'droid.initialize_session',
    params: { cwd: '/w', title: 'first words', autonomyLevel: 'low' },
  })
  const effects = rpc(dialogue, { type: 'response', id: request.id, result: { sessionId: 's1', session: {} } })
  expect(emits(effects)[0]).toMatchObject({ type: 'session_start', sessionId: 's1', resumed: false })
  expect(writes(effects)[0]).toMatchObject({ method: 'droid.add_user_message', params: { text: 'first words' } })
})

test('a record never holds a character at which the CLI would split it', () => {
  const { first } = begun({ prompt: 'a\u2028b' })
  const line = first.flatMap((effect) => ('write' in effect ? [effect.write] : []))[0]
  expect(line).toContain('a\\u2028b')
})

test('a fork loads the origin, forks it, and loads the copy', () => {
  const options = { agent: 'droid', prompt: 'p', forkSessionId: 'old' }
  const dialogue = createDialogue(options)
  const [load] = writes(dialogue.start(options))
  expect(load).toMatchObject({ method: 'droid.load_session', params: { sessionId: 'old' } })
  const [fork] = writes(rpc(dialogue, { type: 'response', id: load.id, result: { session: {} } }))
  expect(fork.method).toBe('droid.fork_session')
  const [copy] = writes(rpc(dialogue, { type: 'response', id: fork.id, result: { newSessionId: 'new' } }))
  expect(copy).toMatchObject({ method: 'droid.load_session', params: { sessionId: 'new' } })
  const effects = rpc(dialogue, { type: 'response', id: copy.id, result: { session: {} } })
  expect(emits(effects)).toContainEqual({ type: 'session_fork', sessionId: 'new', forkedFrom: 'old' })
})

test('a resumed session runs on the mode that is asked for, not on that of an earlier run', () => {
  const options = { agent: 'droid', prompt: 'p', sessionId: 's', approvalMode: 'prompt' } as const
  const dialogue = createDialogue(options)
  const [load] = writes(dialogue.start(options))
  const [settings, message] = writes(rpc(dialogue, { type: 'response', id: load.id, result: { session: {} } }))
  expect(settings).toMatchObject({ method: 'droid.update_session_settings', params: { autonomyLevel: 'off' } })
  expect(message.method).toBe('droid.add_user_message')
})

test('an unknown session ends the run', () => {
  const options = { agent: 'droid', prompt: 'p', sessionId: 's' }
  const dialogue = createDialogue(options)
  const [load] = writes(dialogue.start(options))
  const error = { code: -32004, message: 'Session not found' }
  expect(rpc(dialogue, { type: 'response', id: load.id, error })[0]).toMatchObject({
    fail: { endNow: true, outcome: { code: 'SESSION_NOT_FOUND' } },
  })
})

describe('interactions', () => {
  const toolUse = { type: 'tool_use', id: 'c1', name: 'Execute', input: { command: 'rm x' } }
  const params = { toolUses: [{ toolUse, details: { type: 'exec', fullCommand: 'rm x', impactLevel: 'high' } }] }
  const ask = (dialogue: Dialogue) =>
    rpc(dialogue, { type: 'request', id: 'r1', method: 'droid.request_permission', params })

  test('an approval waits for its answer', () => {
    const { dialogue } = begun()
    expect(emits(ask(dialogue))).toMatchObject([
      { type: 'approval_request', interactionId: 'r1', detail: 'rm x', riskLevel: 'high', toolCallId: 'c1' },
    ])
    const reply = writes(dialogue.onCommand({ type: 'deny', interactionId: 'r1', reason: 'no' }))
    expect(reply[0]).toMatchObject({ id: 'r1', result: { selectedOption: 'cancel', comment: 'no' } })
    expect(dialogue.onCommand({ type: 'approve', interactionId: 'r1' })).toBeNull()
  })

  test('yolo asks nobody, in a loaded session either', () => {
    const { dialogue } = begun({ approvalMode: 'yolo' })
    const effects = ask(dialogue)
    expect(emits(effects)).toEqual([])
    expect(writes(effects)[0].result).toEqual({ selectedOption: 'proceed_once' })
  })

  test('several questions are answered together', () => {
    const { dialogue } = begun()
    const questions = [
      { index: 1, question: 'a?', options: ['x'] },
      { index: 2, question: 'b?', options: [] },
    ]
    const asked = rpc(dialogue, { type: 'request', id: 'q', method: 'droid.ask_user', params: { questions } })
    expect(emits(asked)).toMatchObject([{ interactionId: 'q#0' }, { interactionId: 'q#1' }])
    expect(dialogue.onCommand({ type: 'answer', interactionId: 'q#0', text: 'x' })).toEqual([])
    const [reply] = writes(dialogue.onCommand({ type: 'answer', interactionId: 'q#1', text: 'y' }))
    expect(reply.result.answers).toEqual([
      { index: 1, question: 'a?', answer: 'x' },
      { index: 2, question: 'b?', answer: 'y' },
    ])
  })

  test('a request that we do not know is refused, so that the CLI does not wait', () => {
    const { dialogue } = begun()
    const effects = rpc(dialogue, { type: 'request', id: 'z', method: 'droid.new_thing', params: {} })
    expect(writes(effects)[0]).toMatchObject({ id: 'z', error: {} })
  })
})

describe('turns', () => {
  const tokenUsage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 10, cacheCreationTokens: 100 }

  test('a turn that was sent meanwhile starts when the running one has ended', () => {
    const { dialogue } = begun()
    expect(dialogue.onCommand({ type: 'user_turn', text: 'second' })).toEqual([])
    const effects = note(dialogue, { type: 'agent_turn_completed', reason: 'completed', tokenUsage })
    expect(emits(effects)[0]).toMatchObject({ type: 'token_usage', inputTokens: 111, cacheReadTokens: 10 })
    expect(writes(effects)[0].params.text).toBe('second')
    expect(dialogue.busy?.()).toBe(true)
  })

  test('steering goes into the running turn', () => {
    const { dialogue } = begun()
    const [sent] = writes(dialogue.onCommand({ type: 'steer', text: 'also' }))
    expect(sent.params).toMatchObject({ text: 'also', queuePlacement: 'end_of_turn' })
  })

  test.each([
    ['model_rate_limited', '429 Rate limit reached', 'rate_limited'],
    ['model_rate_limited', '429 You exceeded your current quota', 'quota_exhausted'],
    ['model_request_rejected', 'maximum context length is 1 tokens', 'context_exhausted'],
    ['model_authentication_failed', '401', 'auth_required'],
    ['cancelled', '', 'cancelled'],
    ['a new reason', 'Something broke', 'failed'],
  ])('%s (%s) is %s', (reason, message, kind) => {
    const { dialogue } = begun()
    note(dialogue, { type: 'error', message })
    const effects = note(dialogue, { type: 'agent_turn_completed', reason, tokenUsage: {} })
    expect(effects.flatMap((effect) => ('fail' in effect ? [effect.fail.outcome.kind] : []))).toEqual([kind])
  })

  test('a server that keeps failing is given up on', () => {
    const { dialogue } = begun()
    const at = (attempt: number) => note(dialogue, { type: 'llm_retry', attempt, reason: 'overloaded' })
    expect(at(5)).toHaveLength(1)
    expect(at(6).at(-1)).toMatchObject({ fail: { endNow: true, transient: true } })
    expect(at(7)).toEqual([])
  })

  test('what a command prints is reported once', () => {
    const { dialogue } = begun()
    const block = { type: 'tool_use', id: 'c1', name: 'Execute', input: { command: 'ls' } }
    note(dialogue, { type: 'create_message', message: { role: 'assistant', content: [block] } })
    const progress = {
      type: 'tool_progress_update',
      toolUseId: 'c1',
      toolName: 'Execute',
      update: { fullOutput: 'a\n' },
    }
    expect(emits(note(dialogue, progress))).toMatchObject([{ type: 'shell_stdout_delta', delta: 'a\n' }])
    expect(note(dialogue, progress)).toEqual([])
    const content = 'a\nb\n\n[Process exited with code 0]'
    const done = emits(note(dialogue, { type: 'tool_result', toolUseId: 'c1', content, isError: false }))
    expect(done[0]).toMatchObject({ type: 'shell_stdout_delta', delta: 'b' })
    expect(note(dialogue, { type: 'tool_result', toolUseId: 'c1', content, isError: false })).toEqual([])
  })
})

describe('usage', () => {
  const counts = (inputTokens: number) => ({ inputTokens, outputTokens: 1 })
  const changed = (all: number, last: number) => ({
    type: 'session_token_usage_changed',
    sessionId: 's1',
    inclusiveTokenUsage: counts(all),
    lastCallTokenUsage: counts(last),
  })
  const reported = (effects: Effect[] | null) =>
    emits(effects).flatMap((event) => (event.type === 'token_usage' ? [event.inputTokens] : []))

  test('each request is told when it is known, and the end of the turn adds only what is missing', () => {
    const { dialogue } = begun()
    expect(reported(note(dialogue, changed(100, 100)))).toEqual([100])
    expect(reported(note(dialogue, changed(250, 150)))).toEqual([150])
    const end = { type: 'agent_turn_completed', reason: 'completed' }
    const sums = { tokenUsage: counts(300), cumulativeTokenUsage: counts(300) }
    expect(reported(note(dialogue, { ...end, ...sums }))).toEqual([50])
    expect(reported(note(dialogue, changed(300, 50)))).toEqual([])
  })

  test('what a resumed session had used before is not reported again', () => {
    const { dialogue } = begun({ sessionId: 's1' })
    expect(reported(note(dialogue, changed(1100, 100)))).toEqual([100])
  })
})

test.each(['structured_output_invalid', 'structured_output_missing'])('%s is left to the engine', (reason) => {
  const failures = (options: Partial<RunOptions>) =>
    note(begun(options).dialogue, { type: 'agent_turn_completed', reason }).flatMap((effect) =>
      'fail' in effect ? [effect.fail.outcome.kind] : [],
    )
  expect(failures({ outputSchema: { type: 'object' } })).toEqual([])
  expect(failures({})).toEqual(['output_invalid'])
})
