import { describe, expect, test } from 'vitest'
import { AgentMuxError, CapabilityError, ERROR_CODES, isAgentMuxError, ValidationError } from './errors.ts'
import {
  AGENT_EVENT_TYPES,
  EVENT_GROUPS,
  filterEvents,
  hasCorrelationKey,
  isErrorEvent,
  isTerminalEvent,
  isTextEvent,
  serializeEvent,
  sumCost,
} from './event-guards.ts'
import type { AgentEvent } from './events.ts'
import { StreamAssembler } from './stream-assembler.ts'

const stamp = { runId: 'r', agent: 'x', timestamp: 1 }
const delta: AgentEvent = { type: 'text_delta', delta: 'b', accumulated: 'ab', ...stamp }

describe('events', () => {
  test('there are 68 types, each in one group', () => {
    expect(AGENT_EVENT_TYPES).toHaveLength(68)
    expect(new Set(AGENT_EVENT_TYPES).size).toBe(68)
    expect(Object.keys(EVENT_GROUPS)).toHaveLength(18)
  })

  test('guards narrow by group', () => {
    expect(isTextEvent(delta)).toBe(true)
    expect(isErrorEvent(delta)).toBe(false)
    expect(hasCorrelationKey(delta, 'toolCallId')).toBe(false)
    expect(filterEvents([delta, { type: 'message_start', ...stamp }], 'text_delta')).toEqual([delta])
  })

  test('terminal events', () => {
    const terminal = AGENT_EVENT_TYPES.filter((type) => isTerminalEvent({ type }))
    expect(terminal).toEqual([
      ...['interrupted', 'aborted', 'timeout', 'turn_limit', 'auth_error', 'context_exceeded', 'crash'],
    ])
    expect(isTerminalEvent({ type: 'error', recoverable: false })).toBe(true)
    expect(isTerminalEvent({ type: 'error', recoverable: true })).toBe(false)
  })

  test('serialised without what grows with every delta', () => {
    expect(JSON.parse(serializeEvent(delta))).toEqual({ type: 'text_delta', delta: 'b', ...stamp })
  })

  test('cost events are cumulative: the last of each run counts', () => {
    const cost = (runId: string, totalUsd: number): AgentEvent => ({
      type: 'cost',
      cost: { totalUsd, inputTokens: 0, outputTokens: 0 },
      ...stamp,
      runId,
    })
    expect(sumCost([cost('a', 1), cost('a', 2), cost('b', 3)])).toBe(5)
    expect(sumCost([delta])).toBeNull()
  })
})

describe('errors', () => {
  test('are known by a mark that survives two copies of the package', () => {
    const error = new CapabilityError('codex', 'flying', { model: 'm' })
    expect(isAgentMuxError(error)).toBe(true)
    expect(isAgentMuxError({ [Symbol.for('agent-mux.error')]: true })).toBe(true)
    expect(isAgentMuxError(new Error('x'))).toBe(false)
    expect(error).toMatchObject({
      name: 'CapabilityError',
      code: 'CAPABILITY_ERROR',
      message: 'codex with model m does not support flying',
    })
    expect(new AgentMuxError('INTERNAL', 'x', { cause: error }).cause).toBe(error)
  })

  test('a ValidationError names every field', () => {
    const fields = ['a', 'b'].map((field) => ({ field, message: 'is bad', received: 1, expected: 'good' }))
    expect(new ValidationError(fields).message).toBe('Invalid options: a: is bad; b: is bad')
  })

  test('codes are unique', () => expect(new Set(ERROR_CODES).size).toBe(ERROR_CODES.length))
})

describe('StreamAssembler', () => {
  test('line mode hands lines through', () => {
    const assembler = new StreamAssembler()
    expect([assembler.feed('a'), assembler.inBlock, assembler.bufferedLineCount, assembler.endBlock()]).toEqual([
      'a',
      false,
      0,
      null,
    ])
  })

  test('block mode collects until the terminator says so', () => {
    const assembler = new StreamAssembler()
    const seen: string[] = []
    assembler.startBlock((line, accumulated) => {
      seen.push(accumulated)
      return line === '}'
    })
    expect([assembler.feed('{'), assembler.feed('"a": 1')]).toEqual([null, null])
    expect(assembler).toMatchObject({ inBlock: true, bufferedLineCount: 2 })
    expect(assembler.peek()).toBe('{\n"a": 1')
    expect(assembler.feed('}')).toBe('{\n"a": 1\n}')
    expect(seen.at(-1)).toBe('{\n"a": 1\n}')
    expect(assembler).toMatchObject({ inBlock: false, bufferedLineCount: 0 })
    expect(assembler.feed('next')).toBe('next')
  })

  test('a block can be ended early, or thrown away', () => {
    const assembler = new StreamAssembler()
    assembler.startBlock(() => false)
    assembler.feed('half')
    expect(assembler.endBlock()).toBe('half')
    assembler.startBlock(() => false)
    assembler.feed('gone')
    assembler.reset()
    expect([assembler.inBlock, assembler.peek()]).toEqual([false, ''])
  })
})
