import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AgentEventDraft } from '../contract/event-drafts.ts'
import { isTerminalEvent } from '../contract/event-guards.ts'
import type { AgentEvent } from '../contract/events.ts'
import { Normaliser } from './normaliser.ts'

const RUN_ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV'

function normalise(
  drafts: readonly AgentEventDraft[],
  { stream = true, terminal = null, clock = [0], sessionId = undefined as string | undefined } = {},
): AgentEvent[] {
  let tick = 0
  const now = () => clock[tick++ % clock.length] ?? 0
  const normaliser = new Normaliser({ runId: RUN_ID, agent: 'fake', now, stream, sessionId })
  const out: AgentEvent[] = []
  // A copy each: events are completed in place.
  for (const draft of drafts) normaliser.accept({ ...draft }, out)
  normaliser.finish(terminal, out)
  return out
}

const types = (events: readonly AgentEvent[]) => events.map((event) => event.type)

const id = fc.constantFrom('t1', 't2')
const words = fc.string({ maxLength: 3 })
const draft: fc.Arbitrary<AgentEventDraft> = fc.oneof(
  fc.record({
    type: fc.constant('session_start' as const),
    sessionId: fc.constantFrom('', 's1', 's2'),
    resumed: fc.boolean(),
  }),
  fc.record({ type: fc.constant('session_resume' as const), sessionId: fc.constant('s3'), priorTurnCount: fc.nat(3) }),
  fc.record({ type: fc.constant('session_end' as const), sessionId: fc.constant('s1') }),
  fc.constantFrom<AgentEventDraft>(
    { type: 'turn_start' },
    { type: 'turn_end' },
    { type: 'step_start', stepType: 'generation' },
    { type: 'step_end' },
    { type: 'message_start' },
    { type: 'thinking_start' },
    { type: 'debug', level: 'info', message: 'x' },
    { type: 'log', source: 'stdout', line: 'x' },
    { type: 'cost', cost: { totalUsd: 1, inputTokens: 1, outputTokens: 1 } },
    { type: 'error', code: 'INTERNAL', message: 'x', recoverable: true },
    { type: 'interrupted' },
    { type: 'crash', exitCode: 1, stderr: '' },
  ),
  fc.record({ type: fc.constant('text_delta' as const), delta: words }),
  fc.record({ type: fc.constant('message_stop' as const), text: fc.constantFrom('', 'whole') }),
  fc.record({ type: fc.constant('thinking_delta' as const), delta: words }),
  fc.record({ type: fc.constant('thinking_stop' as const), thinking: fc.constantFrom('', 'whole') }),
  fc.record({ type: fc.constant('tool_call_start' as const), toolCallId: id, toolName: fc.constant('tool') }),
  fc.record({ type: fc.constant('tool_input_delta' as const), toolCallId: id, delta: words }),
  fc.record({
    type: fc.constant('tool_call_ready' as const),
    toolCallId: id,
    toolName: fc.constant('tool'),
    input: fc.constant({}),
  }),
  fc.record({
    type: fc.constant('tool_result' as const),
    toolCallId: id,
    toolName: fc.constant(''),
    output: fc.constant(''),
  }),
  fc.record({
    type: fc.constant('tool_error' as const),
    toolCallId: id,
    toolName: fc.constant(''),
    error: fc.constant(''),
  }),
  fc.record({ type: fc.constant('shell_start' as const), command: words, cwd: words, toolCallId: id }),
  fc.record({ type: fc.constant('shell_exit' as const), exitCode: fc.nat(2), toolCallId: id }),
  fc.record({
    type: fc.constant('mcp_tool_call_start' as const),
    toolCallId: id,
    server: fc.constant('s'),
    toolName: fc.constant('tool'),
    input: fc.constant({}),
  }),
)
const drafts = fc.array(draft, { maxLength: 40 })

describe('whatever an adapter says', () => {
  const holds = (property: (events: AgentEvent[], given: AgentEventDraft[]) => void) => {
    fc.assert(
      fc.property(
        drafts,
        fc.boolean(),
        fc.array(fc.nat(100), { minLength: 1, maxLength: 20 }),
        (given, stream, clock) => {
          property(normalise(given, { stream, clock }), given)
        },
      ),
      { numRuns: 400 },
    )
  }
  const domain = (events: readonly AgentEvent[]) => events.filter(({ type }) => type !== 'debug' && type !== 'log')

  test('session_start comes first, session_end last, each once', () => {
    holds((events) => {
      expect(domain(events)[0]?.type).toBe('session_start')
      expect(domain(events).at(-1)?.type).toBe('session_end')
      expect(events.filter(({ type }) => type === 'session_start')).toHaveLength(1)
      expect(events.filter(({ type }) => type === 'session_end')).toHaveLength(1)
    })
  })

  test('every event is stamped, and time never goes back', () => {
    holds((events) => {
      let last = 0
      for (const event of events) {
        expect(event).toMatchObject({ runId: RUN_ID, agent: 'fake' })
        expect(event.timestamp).toBeGreaterThanOrEqual(last)
        last = event.timestamp
      }
    })
  })

  test('turns come one after another, numbered from 0, and everything of a turn is inside one', () => {
    const inside = /^(step|message|text|thinking|tool|shell|mcp)_/
    holds((events) => {
      let open = false
      let next = 0
      for (const event of events) {
        if (event.type === 'turn_start') {
          expect(open).toBe(false)
          expect(event.turnIndex).toBe(next)
          open = true
        } else if (event.type === 'turn_end') {
          expect(open).toBe(true)
          expect(event.turnIndex).toBe(next)
          next += 1
          open = false
        } else if (inside.test(event.type)) expect(open, event.type).toBe(true)
      }
      expect(open).toBe(false)
      const end = events.find((event) => event.type === 'session_end')
      expect(end?.type === 'session_end' && end.turnCount).toBe(next)
    })
  })

  test('every start has its stop before the turn ends, and messages and thinking do not overlap', () => {
    holds((events) => {
      const open = new Set<string>()
      const start = (key: string) => {
        expect(open.has(key), `second ${key}`).toBe(false)
        open.add(key)
      }
      const stop = (key: string) => expect(open.delete(key), `stop without start: ${key}`).toBe(true)
      for (const event of events) {
        if (event.type === 'message_start') {
          expect(open.has('thinking')).toBe(false)
          start('message')
        }
        if (event.type === 'text_delta') expect(open.has('message')).toBe(true)
        if (event.type === 'message_stop') stop('message')
        if (event.type === 'thinking_start') {
          expect(open.has('message')).toBe(false)
          start('thinking')
        }
        if (event.type === 'thinking_delta') expect(open.has('thinking')).toBe(true)
        if (event.type === 'thinking_stop') stop('thinking')
        if (event.type === 'step_start') start('step')
        if (event.type === 'step_end') stop('step')
        if (event.type === 'tool_call_start') start(event.toolCallId)
        if (event.type === 'tool_result' || event.type === 'tool_error') open.delete(event.toolCallId)
        if (event.type === 'shell_start') start(`shell ${event.toolCallId}`)
        if (event.type === 'shell_exit') open.delete(`shell ${event.toolCallId}`)
        if (event.type === 'mcp_tool_call_start') start(`mcp ${event.toolCallId}`)
        if (event.type === 'mcp_tool_result' || event.type === 'mcp_tool_error') open.delete(`mcp ${event.toolCallId}`)
        if (event.type === 'turn_end') expect([...open]).toEqual([])
      }
    })
  })

  test('at most one terminal event, and after it only session_end, debug and log', () => {
    holds((events) => {
      const at = events.findIndex(isTerminalEvent)
      if (at === -1) return
      expect(events.slice(at + 1).filter(({ type }) => !['session_end', 'debug', 'log'].includes(type))).toEqual([])
    })
  })

  test('accumulated is the sum of the deltas, and the stop has it all unless the agent said otherwise', () => {
    holds((events) => {
      let message = ''
      let thinking = ''
      for (const event of events) {
        if (event.type === 'message_start') message = ''
        if (event.type === 'thinking_start') thinking = ''
        if (event.type === 'text_delta') {
          message += event.delta
          expect(event.accumulated).toBe(message)
        }
        if (event.type === 'thinking_delta') {
          thinking += event.delta
          expect(event.accumulated).toBe(thinking)
        }
        if (event.type === 'message_stop') expect([message, 'whole']).toContain(event.text)
        if (event.type === 'thinking_stop') expect([thinking, 'whole']).toContain(event.thinking)
      }
    })
  })

  test('debug and log always get through', () => {
    holds((events, given) => {
      const count = (list: readonly { type: string }[]) =>
        list.filter(({ type }) => type === 'debug' || type === 'log').length
      expect(count(events)).toBe(count(given))
    })
  })

  test('without streaming a message is one start, at most one delta with all of it, one stop', () => {
    fc.assert(
      fc.property(drafts, (given) => {
        const events = normalise(given, { stream: false })
        for (const [i, event] of events.entries()) {
          if (event.type === 'text_delta') {
            expect(events[i + 1]).toMatchObject({ type: 'message_stop', text: event.delta })
          }
          if (event.type === 'message_stop') {
            expect(events[i - 1]?.type).toBe(event.text === '' ? events[i - 1]?.type : 'text_delta')
          }
        }
      }),
    )
  })
})

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
