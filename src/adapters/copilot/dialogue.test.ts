import { expect, test } from 'vitest'
import type { Effect } from '../../contract/dialogue.ts'
import { createDialogue } from './dialogue.ts'

function talk(...records: object[]): Effect[] {
  const dialogue = createDialogue({ prompt: 'x', nonInteractive: true, cwd: '/work' })
  return records.flatMap((record) => dialogue.onLine(JSON.stringify(record), 'stdout'))
}
const types = (effects: Effect[]) => effects.flatMap((effect) => ('emit' in effect ? [effect.emit.type] : []))

test('the session is named by the last record', () => {
  const effects = talk({ type: 'user.message', data: {} }, { type: 'result', sessionId: 'abc', exitCode: 0 })
  expect(types(effects)).toEqual(['session_start', 'turn_start', 'session_checkpoint', 'turn_end'])
})

test('the words of a sub-agent stay out of the answer; its calls are shown with their parent', () => {
  const effects = talk(
    { type: 'subagent.started', agentId: 'sub', data: { toolCallId: 'task-1' } },
    { type: 'assistant.message_delta', agentId: 'sub', data: { deltaContent: 'inner' } },
    {
      type: 'tool.execution_start',
      agentId: 'sub',
      data: { toolCallId: 't', toolName: 'bash', arguments: { command: 'ls' } },
    },
  )
  expect(types(effects)).toEqual(['session_start', 'tool_call_start', 'tool_call_ready', 'shell_start'])
  expect(effects[1]).toMatchObject({ emit: { parentToolCallId: 'task-1' } })
})

test('a refused call is a request and its denial', () => {
  const effects = talk(
    { type: 'tool.execution_start', data: { toolCallId: 't', toolName: 'create', arguments: {} } },
    {
      type: 'tool.execution_complete',
      data: { toolCallId: 't', success: false, error: { code: 'denied', message: 'no' } },
    },
  )
  expect(types(effects).slice(-3)).toEqual(['approval_request', 'approval_denied', 'tool_error'])
})

test('a retry reports why, and a rate limit that it is one', () => {
  const effects = talk(
    { type: 'model.call_failure', data: { statusCode: 429, retryAttempt: 1, errorMessage: '429 slow down' } },
    { type: 'assistant.turn_retry', data: { reason: 'rate_limit' } },
  )
  expect(effects.slice(1)).toMatchObject([
    { emit: { type: 'rate_limited' } },
    { emit: { type: 'retry', attempt: 2, reason: '429 slow down' } },
  ])
})

test('a patch reports each of its files', () => {
  const fileEdits = [
    { path: 'a', kind: 'create' },
    { path: 'b', kind: 'modify' },
  ]
  const effects = talk(
    { type: 'tool.execution_start', data: { toolCallId: 't', toolName: 'apply_patch', arguments: {} } },
    { type: 'tool.execution_complete', data: { toolCallId: 't', success: true, fileEdits } },
  )
  expect(types(effects).slice(-3)).toEqual(['tool_result', 'file_create', 'file_patch'])
})

test('a record that nobody knows is counted', () => {
  expect(talk({ type: 'brand.new' })).toContainEqual({ unrecognized: 'brand.new' })
})
