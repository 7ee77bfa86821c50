import { expect, test } from 'vitest'
import type { Dialogue } from '../../contract/dialogue.ts'
import { withSubagents } from './subagents.ts'

const STARTED = 'Subagent started in background.\nsubagent_id: child-1\n'

function note(update: object, sessionId = 'main'): string {
  return JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } })
}

const spawned = note({ sessionUpdate: 'subagent_spawned', subagent_id: 'child-1', child_session_id: 'child-1' })
const started = note({
  sessionUpdate: 'tool_call_update',
  toolCallId: 'call-1',
  content: [{ content: { text: STARTED } }],
})
const finished = note({
  sessionUpdate: 'subagent_finished',
  subagent_id: 'child-1',
  status: 'completed',
  output: 'Found it.',
})
const turnEnd = JSON.stringify({ jsonrpc: '2.0', id: 3, result: { stopReason: 'end_turn' } })

/** A dialogue that says every word of its agent, and closes its input when the turn is over. */
function dialogue(): Dialogue {
  return withSubagents({
    start: () => [],
    onLine: (line) => (line === turnEnd ? [{ emit: { type: 'turn_end' } }, { closeStdin: true }] : []),
    onCommand: (command) => (command.type === 'close' ? [{ closeStdin: true }] : []),
    onExit: () => [],
    busy: () => false,
  })
}

function spoken(...lines: string[]) {
  const agent = dialogue()
  return { agent, effects: lines.map((line) => agent.onLine(line, 'stdout')) }
}

test('the run stays open until the last sub-agent in the background has ended', () => {
  const { agent, effects } = spoken(spawned, started, turnEnd)
  expect(effects.at(-1)).toEqual([{ emit: { type: 'turn_end' } }])
  expect(agent.busy?.()).toBe(true)
  expect(agent.onCommand({ type: 'close' })).toEqual([])
  expect(agent.onLine(finished, 'stdout')).toEqual([
    {
      emit: { type: 'subagent_result', subagentId: 'call-1', agentName: 'spawn_subagent', summary: 'Found it.' },
    },
    { closeStdin: true },
  ])
  expect(agent.busy?.()).toBe(false)
})

test('who interrupts waits for none of them', () => {
  const { agent } = spoken(spawned, started)
  agent.onCommand({ type: 'interrupt' })
  expect(agent.busy?.()).toBe(false)
  expect(agent.onLine(turnEnd, 'stdout')).toContainEqual({ closeStdin: true })
})

test('what a sub-agent says is nobody else’s word', () => {
  const { agent } = spoken(spawned)
  expect(agent.onLine(note({ sessionUpdate: 'agent_message_chunk' }, 'child-1'), 'stdout')).toEqual([])
})
