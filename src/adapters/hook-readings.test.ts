import { expect, test } from 'vitest'
import type { HookReading } from '../contract/hooks.ts'
import { builtInAdapters } from './index.ts'

/** Payloads as the real CLIs sent them, cut to what is read; expected is a part of the reading. */
const READINGS: [agent: string, event: string, payload: object | null, expected: Partial<HookReading> | null][] = [
  [
    'claude',
    'SessionStart',
    { session_id: 'db10', transcript_path: '/t.jsonl', source: 'startup' },
    {
      evidence: { state: 'idle', detail: 'its session has begun' },
      metadata: { agentSessionId: 'db10', transcriptPath: '/t.jsonl' },
    },
  ],
  ['claude', 'SessionStart', { session_id: 'db10', source: 'compact' }, { metadata: { agentSessionId: 'db10' } }],
  [
    'claude',
    'UserPromptSubmit',
    { session_id: 'db10', prompt: 'run\n tool' },
    {
      evidence: { state: 'active', begins: true, closes: true, detail: 'it was given a prompt' },
      metadata: { agentSessionId: 'db10', title: 'run tool' },
    },
  ],
  [
    'claude',
    'PreToolUse',
    { tool_name: 'AskUserQuestion', tool_input: { questions: [{ question: 'Which?' }] } },
    { evidence: { state: 'waiting_input', detail: 'Which?' }, metadata: {} },
  ],
  ['claude', 'Notification', { notification_type: 'permission_prompt', message: 'x' }, null],
  [
    'claude',
    'Notification',
    { notification_type: 'elicitation_dialog', message: 'A name?' },
    { evidence: { state: 'waiting_input', detail: 'A name?' }, metadata: {} },
  ],
  [
    'claude',
    'Stop',
    { session_id: 'db10', last_assistant_message: 'The command printed hi.' },
    {
      evidence: { state: 'idle', closes: true },
      metadata: { agentSessionId: 'db10', summary: 'The command printed hi.' },
    },
  ],
  [
    'claude',
    'StopFailure',
    { error: 'server_error', last_assistant_message: 'API Error: 500' },
    { evidence: { state: 'idle', closes: true, detail: 'server_error: API Error: 500' }, metadata: {} },
  ],
  ['claude', 'SessionEnd', { reason: 'clear' }, null],
  [
    'claude',
    'SessionEnd',
    { reason: 'other' },
    { evidence: { state: 'exited', closes: true, detail: 'its session has ended' } },
  ],
  ['qwen', 'UserPromptSubmit', { session_id: 'q', prompt: '' }, { metadata: { agentSessionId: 'q' } }],
  [
    'qwen',
    'Stop',
    { session_id: 'q', last_assistant_message: 'Done.', context_usage: 0.005, input_tokens: 1000 },
    { metadata: { agentSessionId: 'q', summary: 'Done.', usage: { inputTokens: 1000 } } },
  ],
  [
    'kimi',
    'UserPromptSubmit',
    { session_id: 'k', prompt: [{ type: 'text', text: 'Please run echo hi' }] },
    { metadata: { agentSessionId: 'k', title: 'Please run echo hi' } },
  ],
  ['grok', 'Stop', { sessionId: 'g', reason: 'shutdown' }, null],
  [
    'grok',
    'Stop',
    { sessionId: 'g', reason: 'end_turn', lastAssistantMessage: 'Hello' },
    { metadata: { agentSessionId: 'g', summary: 'Hello' } },
  ],
  [
    'gemini',
    'AfterAgent',
    { session_id: 'ge', prompt: 'p', prompt_response: 'Done.' },
    { evidence: { state: 'idle', closes: true }, metadata: { agentSessionId: 'ge', summary: 'Done.' } },
  ],
  [
    'gemini',
    'Notification',
    { session_id: 'ge', notification_type: 'ToolPermission', message: 'Allow?' },
    { evidence: { state: 'blocked', dialog: 'permission', detail: 'Allow?' } },
  ],
  ['gemini', 'AfterTool', { session_id: 'ge' }, { evidence: { state: 'active', closes: 'permission' } }],
  [
    'copilot',
    'agentStop',
    { sessionId: 'c', transcriptPath: '/e.jsonl', stopReason: 'end_turn' },
    { evidence: { state: 'idle', closes: true }, metadata: { agentSessionId: 'c', transcriptPath: '/e.jsonl' } },
  ],
  [
    'cline',
    'TaskComplete',
    { sessionContext: { rootSessionId: '179' }, turn: { outputText: 'Hello' } },
    { evidence: { state: 'idle', closes: true }, metadata: { agentSessionId: '179', summary: 'Hello' } },
  ],
  [
    'opencode',
    'permission.asked',
    { id: 'per_1', sessionID: 'ses_1', permission: 'bash' },
    { evidence: { state: 'blocked', dialog: 'per_1', detail: 'it asks for leave: bash' } },
  ],
  [
    'opencode',
    'permission.replied',
    { requestID: 'per_1', sessionID: 'ses_1' },
    { evidence: { state: 'active', closes: 'per_1' } },
  ],
  [
    'opencode',
    'session.error',
    { sessionID: 'ses_1', error: { name: 'APIError', data: { message: 'Internal server error' } } },
    {
      evidence: { state: 'idle', closes: true, ended: 'failed', detail: 'Internal server error' },
      metadata: { agentSessionId: 'ses_1' },
    },
  ],
  [
    'kilo',
    'session.error',
    { sessionID: 'ses_1', error: { name: 'MessageAbortedError', data: { message: 'Aborted' } } },
    { evidence: { state: 'idle', closes: true, ended: 'interrupted', detail: 'Aborted' } },
  ],
  [
    'omp',
    'agent_end',
    { sessionId: 'o', willContinue: true, answer: 'half' },
    { metadata: { agentSessionId: 'o', summary: 'half' } },
  ],
  [
    'pi',
    'agent_end',
    { sessionId: 'p', stopReason: 'error', errorMessage: '500 Internal server error' },
    { evidence: { state: 'idle', closes: true, ended: 'failed', detail: '500 Internal server error' } },
  ],
  [
    'omp',
    'agent_end',
    { sessionId: 'o', stopReason: 'aborted', answer: 'half' },
    { evidence: { state: 'idle', closes: true, ended: 'interrupted', detail: 'interrupted' } },
  ],
  ['pi', 'session_shutdown', { sessionId: 'p', reason: 'new' }, { metadata: { agentSessionId: 'p' } }],
  [
    'cursor',
    'afterAgentResponse',
    { conversation_id: 'cu', text: 'Hi' },
    { metadata: { agentSessionId: 'cu', summary: 'Hi' } },
  ],
  [
    'hermes',
    'pre_llm_call',
    { session_id: 'h', extra: { user_message: 'Do it' } },
    { metadata: { agentSessionId: 'h', title: 'Do it' } },
  ],
  // As documents and source tell them; these were never seen.
  [
    'kiro',
    'Stop',
    { hook_event_name: 'Stop', session_id: 'k', assistant_response: 'Done.' },
    { evidence: { state: 'idle', closes: true }, metadata: { agentSessionId: 'k', summary: 'Done.' } },
  ],
  [
    'crush',
    'PreToolUse',
    { event: 'PreToolUse', session_id: 'c', tool_name: 'bash', tool_input: { command: 'ls' } },
    { evidence: { state: 'active', detail: 'it runs bash' }, metadata: { agentSessionId: 'c' } },
  ],
  ['claude', 'Stop', null, null],
]

async function read(agent: string, event: string, payload: unknown): Promise<HookReading | null | undefined> {
  const adapter = await builtInAdapters.find(({ manifest }) => manifest.agent === agent)?.load()
  return adapter?.readHook?.(event, payload)
}

test.each(READINGS)('%s %s %j', async (agent, event, payload, expected) => {
  const reading = await read(agent, event, payload)
  if (expected === null) expect(reading).toBeNull()
  else expect(reading).toMatchObject(expected)
})

test('the dialog of a call is closed by its end, and by no other', async () => {
  const call = { tool_name: 'Bash', tool_input: { command: 'touch x' } }
  const asked = await read('claude', 'PermissionRequest', call)
  const done = await read('claude', 'PostToolUse', { ...call, tool_use_id: 'toolu_1' })
  const bare = await read('codex', 'PostToolUse', { tool_name: 'Bash', tool_input: { command: 'touch x' } })
  const reasoned = { command: 'touch x\n', description: 'Need to write outside the sandbox' }
  const withReason = await read('codex', 'PermissionRequest', { ...call, tool_input: reasoned })
  expect(bare?.evidence?.closes).toBe(withReason?.evidence?.dialog)
  const other = await read('claude', 'PostToolUse', { ...call, tool_input: { command: 'ls' } })
  expect(asked?.evidence).toMatchObject({ state: 'blocked', detail: 'it asks for leave to run Bash' })
  expect(done?.evidence?.closes).toBe(asked?.evidence?.dialog)
  expect(other?.evidence?.closes).not.toBe(asked?.evidence?.dialog)
})
