import { describe, expect, test } from 'vitest'
import type { AgentEventDraft } from '../../contract/event-drafts.ts'
import type { AgentEvent } from '../../contract/events.ts'
import type { RunResult } from '../../contract/run-handle.ts'
import { Normaliser } from '../../engine/normaliser.ts'
import { plain } from '../output.ts'
import { terminalText } from '../terminal-text.ts'
import { RunRenderer } from './render.ts'

const RESULT: RunResult = {
  runId: 'r',
  agent: 'claude',
  model: null,
  sessionId: 's1',
  text: 'Done.',
  cost: null,
  durationMs: 4200,
  exitCode: 0,
  signal: null,
  exitReason: 'completed',
  outcome: { kind: 'completed' },
  tokenUsage: null,
  usageByModel: {},
  turnCount: 1,
  error: null,
  events: [],
  tags: [],
  unrecognized: {},
}

const USAGE = {
  ...{ inputTokens: 1234, outputTokens: 56, thinkingTokens: 0, cacheReadTokens: 0 },
  ...{ cacheCreationTokens: 0, cachedTokens: 0, totalTokens: 1290 },
}

/** Drafts as an adapter gives them, made into events by the real normaliser. */
function events(drafts: AgentEventDraft[]): AgentEvent[] {
  const out: AgentEvent[] = []
  const normaliser = new Normaliser({ runId: 'r', agent: 'claude', now: () => 0, stream: true })
  for (const draft of drafts) normaliser.accept(draft, out)
  normaliser.finish(null, out)
  return out
}

/** A cleared line leaves nothing of what was before it. */
function shownInTheEnd(line: string): string {
  return line.split('\r\u001b[K').at(-1) ?? ''
}

function render(drafts: AgentEventDraft[], { live = true, debug = false, result = RESULT } = {}) {
  let log = ''
  let answer = ''
  const renderer = new RunRenderer({
    live,
    log: (text) => {
      log += terminalText(text, true)
    },
    answer: (text) => {
      answer += text
    },
    ...{ paint: plain, width: 60, cwd: '/repo', debug, agent: 'claude' },
  })
  for (const event of events(drafts)) renderer.event(event)
  renderer.finish(result)
  return { log: log.split('\n').map(shownInTheEnd).join('\n'), answer }
}

const TOOL: AgentEventDraft[] = [
  { type: 'text_delta', delta: 'I will ' },
  { type: 'text_delta', delta: 'look.' },
  { type: 'tool_call_ready', toolCallId: 't1', toolName: 'Bash', input: { command: 'echo hi' } },
  { type: 'shell_stdout_delta', delta: 'hi\n', toolCallId: 't1' },
  { type: 'shell_exit', exitCode: 0, toolCallId: 't1' },
  { type: 'tool_result', toolCallId: 't1', toolName: 'Bash', output: 'hi', durationMs: 1500 },
  { type: 'text_delta', delta: 'Done.' },
]

describe('on a terminal', () => {
  test('text, a tool with its output, text, the summary', () => {
    expect(render(TOOL).log).toBe(`I will look.

✓ Bash  echo hi  1.5s
    hi

Done.

✓ completed · 4.2s · session s1
`)
  })

  test('what an attempt has said before it failed is marked as withdrawn, and the next begins on a line of its own', () => {
    const { log } = render([
      { type: 'text_delta', delta: 'Hello fr' },
      { type: 'retry', attempt: 1, maxAttempts: 3, reason: 'overloaded', delayMs: 0 },
      { type: 'text_delta', delta: 'Hello there.' },
    ])
    expect(log).toMatch(/Hello fr\n+.*withdrawn: the text above.*\n(?:.*\n)*Hello there\.\n/)
    expect(log).not.toContain('Hello frHello')
  })

  test('tokens and cost; an unknown price is not zero', () => {
    const priced = { ...RESULT, tokenUsage: USAGE, cost: { totalUsd: 0.5, inputTokens: 1, outputTokens: 1 } }
    expect(render([], { result: priced }).log).toBe('✓ completed · 1.2k in, 56 out · $0.50 · 4.2s · session s1\n')
    expect(render([], { result: { ...RESULT, tokenUsage: USAGE } }).log).toContain('· unpriced ·')
  })

  test('files, failed tools, and calls that overlap', () => {
    const { log } = render([
      { type: 'tool_call_ready', toolCallId: 'a', toolName: 'Write', input: { file_path: '/repo/x.ts' } },
      { type: 'tool_call_ready', toolCallId: 'b', toolName: 'Bash', input: { command: 'false' } },
      { type: 'tool_result', toolCallId: 'a', toolName: 'Write', output: '', durationMs: 10 },
      { type: 'file_create', path: '/repo/x.ts', byteCount: 3 },
      { type: 'shell_exit', exitCode: 1, toolCallId: 'b' },
      { type: 'tool_error', toolCallId: 'b', toolName: 'Bash', error: 'Exit code 1' },
      { type: 'file_patch', path: '/other/y.ts', diff: '--- a\n+++ b\n-x\n+y\n+z' },
      { type: 'file_delete', path: '/repo/z.ts' },
    ])
    expect(log).toBe(`✓ Write  x.ts  10ms
  + x.ts
✗ Bash  false  exit 1
    Exit code 1
  ~ /other/y.ts +2 -1
  - z.ts

✓ completed · 4.2s · session s1
`)
  })

  test('long output is cut to its end, long lines to the width', () => {
    const delta = Array.from({ length: 30 }, (_, i) => `${i} ${'x'.repeat(80)}\n`).join('')
    const { log } = render([
      { type: 'tool_call_ready', toolCallId: 't', toolName: 'Bash', input: { command: 'seq '.repeat(40) } },
      { type: 'shell_stdout_delta', delta, toolCallId: 't' },
      { type: 'tool_result', toolCallId: 't', toolName: 'Bash', output: '', durationMs: 1 },
    ])
    const lines = log.split('\n')
    expect(lines[1]).toBe('    … 22 earlier lines')
    expect(lines.slice(2, 10).map((line) => line.slice(4, 6))).toEqual(['22', '23', '24', '25', '26', '27', '28', '29'])
    for (const line of lines.slice(0, 10)) expect(line.length).toBeLessThanOrEqual(60)
  })

  test('thinking, retries, limits, warnings', () => {
    const { log } = render([
      { type: 'thinking_delta', delta: 'Hmm.' },
      { type: 'retry', attempt: 1, maxAttempts: 3, reason: 'overloaded', delayMs: 2000 },
      { type: 'rate_limited', retryAfterMs: 90_000 },
      { type: 'debug', level: 'warn', message: 'Model "x" is not in our list' },
      { type: 'debug', level: 'verbose', message: 'not shown' },
      { type: 'error', code: 'MODEL_ERROR', message: 'overloaded', recoverable: true },
      { type: 'text_delta', delta: 'ok\u001b[31m' },
    ])
    expect(log).toBe(`Hmm.

! retry 1/3 in 2.0s: overloaded
! rate limited for 1m 30s
! Model "x" is not in our list
✗ overloaded

ok[31m

✓ completed · 4.2s · session s1
`)
  })

  test('a denied call is reported once', () => {
    const { log } = render([
      { type: 'tool_call_ready', toolCallId: 't', toolName: 'Bash', input: { command: 'rm x' } },
      {
        ...{ type: 'approval_request', interactionId: 'i', action: 'Bash', detail: 'rm x', toolName: 'Bash' },
        ...{ toolCallId: 't', riskLevel: 'high' },
      },
      { type: 'approval_denied', interactionId: 'i', reason: 'No.' },
      { type: 'tool_error', toolCallId: 't', toolName: 'Bash', error: 'No.' },
    ])
    expect(log).toBe('✗ denied Bash  rm x  No.\n\n✓ completed · 4.2s · session s1\n')
  })

  test('a run that did not complete says why, and what to do', () => {
    const outcome = { kind: 'permission_blocked', evidence: 'denied: Bash' } as const
    const { log } = render([], { result: { ...RESULT, outcome } })
    expect(log).toContain('✗ permission_blocked: denied: Bash · 4.2s')
    expect(log).toContain('--allow-tool')
  })
})

describe('without a terminal', () => {
  test('the answer is apart from the rest, and said once', () => {
    const { log, answer } = render(TOOL, { live: false })
    expect(answer).toBe('Done.\n')
    expect(log).toBe(`I will look.

✓ Bash  echo hi  1.5s
    hi

✓ completed · 4.2s · session s1
`)
  })

  test('a structured answer is JSON', () => {
    const result = { ...RESULT, structuredOutput: { a: 1 } }
    expect(render([], { live: false, result }).answer).toBe('{\n  "a": 1\n}\n')
  })
})
