import { expect, test } from 'vitest'
import type { AgentEventDraft } from '../contract/event-drafts.ts'
import { completeDraft } from '../core/complete-draft.ts'
import { TranscriptSigns } from './transcript-signs.ts'

const call = (toolCallId: string): AgentEventDraft => ({ type: 'tool_call_start', toolCallId, toolName: 'Bash' })
const result = (toolCallId: string): AgentEventDraft => ({
  ...{ type: 'tool_result', toolCallId, toolName: 'Bash', output: '' },
})
const said: AgentEventDraft = { type: 'message_stop', text: 'done' }
const asked: AgentEventDraft = { type: 'turn_start', prompt: 'do' }

test.each<[string, AgentEventDraft[], string | null]>([
  ['a prompt', [asked], 'active'],
  ['an answer', [asked, said], 'idle'],
  ['a tool', [asked, call('1')], 'active'],
  ['words before a tool', [asked, said, call('1')], 'active'],
  ['words while one of two tools runs', [asked, call('1'), call('2'), result('1'), said], 'active'],
  ['its result: the model has to go on', [asked, call('1'), result('1')], 'active'],
  ['an answer after it', [asked, call('1'), result('1'), said], 'idle'],
  ['a new prompt after a tool that was never answered', [asked, call('1'), asked, said], 'idle'],
  ['what says nothing', [{ type: 'session_start', sessionId: 's', resumed: true }], null],
])('%s', (_, drafts, expected) => {
  const signs = new TranscriptSigns()
  const reported = drafts.map((draft) => {
    const event = { ...draft }
    completeDraft(event, { runId: 'r', agent: 'claude', timestamp: 1 })
    return signs.take(event)
  })
  expect(reported.at(-1)?.state ?? null).toBe(expected)
})
