import { expect, test } from 'vitest'
import type { AgentEvent } from '../contract/events.ts'
import { RequestCount } from './request-count.ts'

const stamp = { runId: 'r', agent: 'a', timestamp: 0 }
const call = (toolCallId: string, parentToolCallId?: string): AgentEvent => ({
  ...{ ...stamp, type: 'tool_call_start', toolCallId, toolName: 't', inputAccumulated: '' },
  ...(parentToolCallId !== undefined && { parentToolCallId }),
})
const done = (toolCallId: string, parentToolCallId?: string): AgentEvent => ({
  ...{ ...stamp, type: 'tool_result', toolCallId, toolName: 't', output: '', durationMs: 0 },
  ...(parentToolCallId !== undefined && { parentToolCallId }),
})
const words: AgentEvent = { ...stamp, type: 'message_start' }
const thought: AgentEvent = { ...stamp, type: 'thinking_start' }
const usage: AgentEvent = { ...stamp, type: 'token_usage', inputTokens: 1, outputTokens: 1 }
const turn: AgentEvent = { ...stamp, type: 'turn_start', turnIndex: 0 }

function count(events: readonly AgentEvent[], callsToolsEarly = false): number {
  const counter = new RequestCount(() => callsToolsEarly)
  let last = 0
  for (const event of events) last = counter.note(event)
  return last
}

test.each([
  ['nothing was said', [turn], 0],
  ['one answer', [turn, thought, words], 1],
  ['a tool, not yet answered', [turn, words, call('1'), done('1')], 1],
  ['what follows a tool is another request', [turn, words, call('1'), done('1'), thought, words], 2],
  ['parallel tools are one request', [turn, call('1'), call('2'), done('1'), done('2'), call('3')], 2],
  ['one that still runs keeps the request open', [turn, call('1'), call('2'), done('1'), words], 1],
  ['a sub-agent does not count', [turn, call('1'), call('2', '1'), done('2', '1'), call('3', '1')], 1],
  ['a new turn begins again', [turn, call('1'), done('1'), words, turn, words], 1],
] as const)('%s', (_name, events, expected) => {
  expect(count(events)).toBe(expected)
})

test('where tools run before a response is over, its usage shows its end', () => {
  const oneResponse = [turn, call('1'), done('1'), call('2'), done('2'), usage]
  expect(count(oneResponse, true)).toBe(1)
  expect(count([...oneResponse, words], true)).toBe(2)
})
