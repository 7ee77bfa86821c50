import { describe, expect, test } from 'vitest'
import { normalise, types } from '../../test/support/normalise.ts'
import type { AgentEventDraft } from '../contract/event-drafts.ts'
import type { AgentEvent } from '../contract/events.ts'
import { Normaliser } from './normaliser.ts'

describe('in particular', () => {
  test('stream: false gives the text in one piece at its end', () => {
    const events = normalise(
      [
        { type: 'thinking_delta', delta: 'hm' },
        { type: 'text_delta', delta: 'a' },
        { type: 'text_delta', delta: 'b' },
        { type: 'message_stop', text: '' },
      ],
      { stream: false },
    )
    expect(types(events)).toEqual([
      ...['session_start', 'turn_start', 'thinking_start', 'thinking_delta', 'thinking_stop'],
      ...['message_start', 'text_delta', 'message_stop', 'turn_end', 'session_end'],
    ])
    expect(events[6]).toMatchObject({ delta: 'ab', accumulated: 'ab' })
    expect(events[7]).toMatchObject({ text: 'ab' })
  })

  test('an id that the agent reports late is a checkpoint, not a second start', () => {
    const events = normalise([
      { type: 'text_delta', delta: 'x' },
      { type: 'session_start', sessionId: 's1', resumed: false },
      { type: 'session_start', sessionId: 's1', resumed: false },
    ])
    expect(types(events).filter((type) => type.startsWith('session'))).toEqual([
      ...['session_start', 'session_checkpoint', 'session_end'],
    ])
    expect(events.at(-1)).toMatchObject({ sessionId: 's1' })
  })

  test('a session that was asked to be resumed is reported as resumed', () => {
    expect(normalise([{ type: 'text_delta', delta: 'x' }], { sessionId: 's9' })[0]).toMatchObject({
      type: 'session_start',
      sessionId: 's9',
      resumed: true,
    })
    expect(normalise([{ type: 'session_resume', sessionId: 's8', priorTurnCount: 2 }]).slice(0, 2)).toMatchObject([
      { type: 'session_start', sessionId: 's8', resumed: true },
      { type: 'session_resume', sessionId: 's8' },
    ])
  })

  test('a resumed session says so once, with the count of its turns only where that is known', () => {
    const start: AgentEventDraft = { type: 'session_start', sessionId: 's8', resumed: true }
    const text: AgentEventDraft = { type: 'text_delta', delta: 'x' }
    const resumes = (drafts: AgentEventDraft[]) => normalise(drafts).filter(({ type }) => type === 'session_resume')
    const [bare] = resumes([start, text])
    expect(bare).toMatchObject({ sessionId: 's8' })
    expect(JSON.stringify(bare)).not.toContain('priorTurnCount')
    const own: AgentEventDraft = { type: 'session_resume', sessionId: 's8', priorTurnCount: 3 }
    expect(resumes([start, own, text])).toMatchObject([{ priorTurnCount: 3 }])
    expect(resumes([{ ...start, resumed: false }, text])).toEqual([])
    const lost: AgentEventDraft = { type: 'error', code: 'SESSION_NOT_FOUND', message: 'gone', recoverable: false }
    expect(resumes([start, lost])).toEqual([])
  })

  test('steps are numbered in their turn', () => {
    const step: AgentEventDraft = { type: 'step_start', stepType: 'generation' }
    const events = normalise([step, step, { type: 'turn_end' }, step])
    expect(
      events.filter((event) => event.type === 'step_start').map((event) => [event.turnIndex, event.stepIndex]),
    ).toEqual([
      [0, 0],
      [0, 1],
      [1, 0],
    ])
  })

  test('durations come from our clock, names from the start of the call', () => {
    const events = normalise(
      [
        { type: 'tool_call_ready', toolCallId: 't', toolName: 'shell', input: {} },
        { type: 'shell_start', command: 'ls', cwd: '/', toolCallId: 't' },
        { type: 'tool_result', toolCallId: 't', toolName: '', output: 'x' },
      ],
      { clock: Array.from({ length: 60 }, (_, i) => i * 10) },
    )
    expect(types(events)).toEqual([
      ...['session_start', 'turn_start', 'tool_call_start', 'tool_call_ready', 'shell_start', 'shell_exit'],
      ...['tool_result', 'turn_end', 'session_end'],
    ])
    const result = events.find((event) => event.type === 'tool_result')
    expect(result).toMatchObject({ toolName: 'shell' })
    expect(result?.durationMs).toBeGreaterThan(0)
    expect(events.find((event) => event.type === 'shell_exit')).toMatchObject({ exitCode: -1 })
  })

  test('the time of a tool leaves out the wait for an answer', () => {
    const ask = (interactionId: string): AgentEventDraft => ({
      ...{ type: 'approval_request', interactionId, action: 'shell', detail: '' },
      ...{ toolCallId: 't', riskLevel: 'high' },
    })
    const events = normalise(
      [
        { type: 'turn_start' },
        { type: 'tool_call_ready', toolCallId: 't', toolName: 'shell', input: {} }, // 10
        ask('a'), // 30
        { type: 'shell_start', command: 'ls', cwd: '/', toolCallId: 't' }, // 35
        ask('b'), // 50
        { type: 'approval_granted', interactionId: 'a' }, // 1000
        { type: 'approval_granted', interactionId: 'b' }, // 5000
        { type: 'shell_exit', exitCode: 0, toolCallId: 't' }, // 5007
        { type: 'tool_result', toolCallId: 't', toolName: '', output: 'x' }, // 5010
      ],
      { clock: [0, 10, 30, 35, 50, 1000, 5000, 5007, 5010, 5010] },
    )
    expect(events.find((event) => event.type === 'shell_exit')?.durationMs).toBe(7)
    expect(events.find((event) => event.type === 'tool_result')?.durationMs).toBe(30)
  })

  test('nor does the wait for the answer to a question of its own count', () => {
    let now = 0
    const normaliser = new Normaliser({ runId: 'r', agent: 'fake', now: () => now, stream: true })
    const at = (time: number, draft: AgentEventDraft) => {
      now = time
      const out: AgentEvent[] = []
      normaliser.accept(draft, out)
      return out
    }
    at(0, { type: 'turn_start' })
    at(10, { type: 'tool_call_ready', toolCallId: 't', toolName: 'ask', input: {} })
    at(30, { type: 'input_required', interactionId: 'q', question: 'Which?', source: 'tool' })
    now = 60_000
    normaliser.noteAnswer('q')
    const [result] = at(60_005, { type: 'tool_result', toolCallId: 't', toolName: '', output: 'x' })
    expect(result).toMatchObject({ type: 'tool_result', durationMs: 25 })
  })

  test('the cost of a turn is what it added', () => {
    const cost = (totalUsd: number): AgentEventDraft => ({
      type: 'cost',
      cost: { totalUsd, inputTokens: 0, outputTokens: 0 },
    })
    const events = normalise([
      { type: 'turn_start' },
      { type: 'token_usage', inputTokens: 10, outputTokens: 1 },
      cost(0.1),
      { type: 'turn_end' },
      { type: 'turn_start' },
      { type: 'token_usage', inputTokens: 5, outputTokens: 2 },
      cost(0.3),
      { type: 'turn_end' },
    ])
    expect(events.filter((event) => event.type === 'turn_end').map((event) => event.cost)).toMatchObject([
      { totalUsd: 0.1, inputTokens: 10, outputTokens: 1 },
      { totalUsd: 0.2, inputTokens: 5, outputTokens: 2 },
    ])
    expect(events.at(-1)).toMatchObject({ type: 'session_end', turnCount: 2, cost: { totalUsd: 0.3 } })
  })
})

test('a sub-agent that ends after the turn begins no turn', () => {
  const subagent = { subagentId: 'a', agentName: 'explore' }
  const events = normalise([
    { type: 'turn_start' },
    { type: 'subagent_spawn', ...subagent, prompt: 'p' },
    { type: 'turn_end' },
    { type: 'subagent_result', ...subagent, summary: 'done' },
  ])
  expect(types(events).filter((type) => type.startsWith('turn') || type.startsWith('subagent'))).toEqual([
    'turn_start',
    'subagent_spawn',
    'turn_end',
    'subagent_result',
  ])
})

test('calls that are never ended do not pile up: the oldest are ended, each once', () => {
  const call = (n: number): AgentEventDraft => ({ type: 'tool_call_start', toolCallId: `t${n}`, toolName: 'tool' })
  const calls = Array.from({ length: 3000 }, (_, n) => call(n))
  const mcp = calls.map((_, n): AgentEventDraft => {
    return { type: 'mcp_tool_call_start', toolCallId: `m${n}`, server: 's', toolName: 'tool', input: {} }
  })
  const events = normalise([{ type: 'turn_start' }, ...calls, ...mcp, { type: 'turn_end' }])
  const started = events.flatMap((one) => (one.type.endsWith('_call_start') ? [Reflect.get(one, 'toolCallId')] : []))
  const ended = events.flatMap((one) => (one.type.endsWith('tool_error') ? [Reflect.get(one, 'toolCallId')] : []))
  expect(ended.toSorted()).toEqual(started.toSorted())
  const lastStart = types(events).lastIndexOf('mcp_tool_call_start')
  expect(types(events.slice(lastStart)).filter((type) => type.endsWith('tool_error'))).toHaveLength(2000)
})
