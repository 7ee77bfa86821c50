import { expect, test } from 'vitest'
import type { AgentEvent } from '../contract/events.ts'
import { ResponseCount } from './response-count.ts'

const of = (type: string, parentToolCallId?: string) => ({ type, parentToolCallId }) as unknown as AgentEvent

function counted(...events: AgentEvent[]): ResponseCount {
  const responses = new ResponseCount()
  for (const event of events) responses.note(event)
  return responses
}

test('an answer is finished when the next one calls a tool', () => {
  expect(counted(of('turn_start'), of('tool_call_start')).finished).toBe(0)
  expect(counted(of('tool_call_start'), of('tool_result'), of('tool_call_start')).finished).toBe(1)
})

test('calls beside each other are of one answer, and those of a sub-agent of none', () => {
  expect(counted(of('tool_call_start'), of('tool_call_start'), of('tool_result')).finished).toBe(0)
  expect(counted(of('tool_call_start'), of('tool_result'), of('tool_call_start', 'a')).finished).toBe(0)
})

test('what was not found is not waited for again', () => {
  const responses = counted(of('tool_call_start'), of('tool_result'), of('tool_call_start'))
  responses.settle(0)
  expect(responses.finished).toBe(0)
})
