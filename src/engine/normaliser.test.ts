import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalise, RUN_ID } from '../../test/support/normalise.ts'
import type { AgentEventDraft } from '../contract/event-drafts.ts'
import { isTerminalEvent } from '../contract/event-guards.ts'
import type { AgentEvent } from '../contract/events.ts'

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
