import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../contract/events.ts'
import { addFact, judge, noEvidence } from '../core/evidence.ts'
import { mergeMetadata, metadataOf } from '../core/session-metadata.ts'
import { factOf } from './event-facts.ts'

const base = { runId: 'r', agent: 'claude', timestamp: 7 } as const

function statesOf(events: AgentEvent[]): string[] {
  let evidence = noEvidence(3)
  return events.map((event, index) => {
    const fact = factOf({ ...event, timestamp: index + 1 }, 3)
    if (fact) evidence = addFact(evidence, fact)
    return judge(evidence).state
  })
}

describe('facts of stream events', () => {
  test('a run from start to end', () => {
    const events: AgentEvent[] = [
      { ...base, type: 'session_start', sessionId: 's', resumed: false },
      { ...base, type: 'turn_start', turnIndex: 0 },
      { ...base, type: 'text_delta', delta: 'x', accumulated: 'x' },
      { ...base, type: 'approval_request', interactionId: 'i', action: 'shell', detail: 'ls', riskLevel: 'low' },
      { ...base, type: 'token_usage', inputTokens: 1, outputTokens: 1 },
      { ...base, type: 'approval_granted', interactionId: 'i' },
      { ...base, type: 'input_required', interactionId: 'j', question: 'Which?', source: 'agent' },
      { ...base, type: 'tool_result', toolCallId: 't', toolName: 'x', output: '', durationMs: 1 },
      { ...base, type: 'turn_end', turnIndex: 0 },
      { ...base, type: 'session_end', sessionId: 's', turnCount: 1 },
    ]
    expect(statesOf(events)).toEqual([
      ...['unknown', 'active', 'active', 'blocked', 'blocked', 'active', 'waiting_input', 'active', 'idle', 'exited'],
    ])
  })

  test('carries launch, time and reason', () => {
    const crash: AgentEvent = { ...base, type: 'crash', exitCode: 3, stderr: '' }
    expect(factOf(crash, 2)).toEqual({
      state: 'exited',
      detail: 'it crashed with exit code 3',
      source: 'protocol',
      at: 7,
      launch: 2,
    })
  })
})

describe('metadata', () => {
  test('from the stream', () => {
    expect(metadataOf({ ...base, type: 'session_start', sessionId: '', resumed: false })).toEqual({})
    expect(metadataOf({ ...base, type: 'session_checkpoint', sessionId: 's', checkpointId: 'c' })).toEqual({
      agentSessionId: 's',
    })
    expect(metadataOf({ ...base, type: 'message_stop', text: 'Done.' })).toEqual({ summary: 'Done.' })
  })

  test('the first title and the last of everything else', () => {
    const known = { title: 'first', summary: 'one', agentSessionId: 's' }
    expect(mergeMetadata(known, { title: 'second', summary: 'two', agentSessionId: undefined })).toEqual({
      title: 'first',
      summary: 'two',
      agentSessionId: 's',
    })
  })
})
