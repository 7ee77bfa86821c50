import { Terminal } from '@xterm/headless'
import { expect, test } from 'vitest'
import type { AgentEventDraft } from '../../contract/event-drafts.ts'
import type { AgentEvent } from '../../contract/events.ts'
import { Normaliser } from '../../engine/normaliser.ts'
import { Output, type TextStream } from '../output.ts'
import { displayWidth } from '../text.ts'
import { RunRenderer } from './render.ts'

const ANSWER = `# What I found

The parser **drops the last token** when a line ends without a newline, so \`parse('a')\` gives an empty list.

- \`src/parser.ts\` reads up to the last newline, and what is behind it is never looked at again
- there was no test for it

\`\`\`ts
if (rest !== '') tokens.push(rest)
\`\`\`

1. mended
2. tested`

const DRAFTS: AgentEventDraft[] = [
  { type: 'message_start' },
  { type: 'thinking_start' },
  { type: 'thinking_delta', delta: 'The user wants the parser mended. I will look at how it reads lines first.' },
  { type: 'thinking_stop', thinking: '' },
  { type: 'text_delta', delta: 'Let me look at the parser ' },
  { type: 'text_delta', delta: 'and at its tests first.\u001b]0;stolen title\u0007' },
  { type: 'message_stop', text: '' },
  { type: 'tool_call_ready', toolCallId: '1', toolName: 'Read', input: { file_path: '/repo/src/parser.ts' } },
  { type: 'tool_result', toolCallId: '1', toolName: 'Read', output: '', durationMs: 12 },
  { type: 'tool_call_ready', toolCallId: '2', toolName: 'Edit', input: { file_path: '/repo/src/parser.ts' } },
  { type: 'file_patch', path: '/repo/src/parser.ts', diff: '+a\n-b' },
  { type: 'tool_result', toolCallId: '2', toolName: 'Edit', output: '', durationMs: 30 },
  { type: 'tool_call_ready', toolCallId: '3', toolName: 'Bash', input: { command: 'npm test -- src/parser.test.ts' } },
  { type: 'shell_stdout_delta', toolCallId: '3', delta: 'ok 1 reads the last line\nok 2 reads an empty file\n' },
]

const REST: AgentEventDraft[] = [
  { type: 'shell_exit', toolCallId: '3', exitCode: 0, durationMs: 2100 },
  { type: 'tool_result', toolCallId: '3', toolName: 'Bash', output: '', durationMs: 2100 },
  { type: 'retry', attempt: 1, maxAttempts: 3, reason: 'the server is overloaded, please wait', delayMs: 2000 },
  { type: 'message_start' },
  ...(ANSWER.match(/[\s\S]{1,9}/g) ?? []).map((delta): AgentEventDraft => ({ type: 'text_delta', delta })),
  { type: 'message_stop', text: '' },
]

/** A terminal that shows what was written to it, and a clock that advances when asked to. */
function stage(columns: number, env: Record<string, string> = {}) {
  const terminal = new Terminal({ cols: columns, rows: 60, allowProposedApi: true, convertEol: true })
  let titles = 0
  terminal.onTitleChange(() => titles++)
  let now = 0
  let tick = () => {}
  const clock = {
    now: () => now,
    every: (_ms: number, draw: () => void) => {
      tick = draw
      return () => {
        tick = () => {}
      }
    },
  }
  const stdout: TextStream = {
    write: (text) => {
      terminal.write(text)
      return true
    },
    once: () => undefined,
    isTTY: true,
    columns,
  }
  const output = new Output({ stdout, stderr: stdout, env, json: false, noColor: false })
  const view = new RunRenderer({
    ...{ live: true, width: columns, cwd: '/repo', debug: false, agent: 'claude', clock },
    ...{ log: (text: string) => output.write(text), answer: () => {}, paint: output.paint() },
    noStatus: env.TERM === 'dumb',
  })
  const normaliser = new Normaliser({ runId: 'r', agent: 'claude', now: () => 0, stream: true })
  return {
    view,
    titles: () => titles,
    show(drafts: readonly AgentEventDraft[]) {
      const events: AgentEvent[] = []
      for (const draft of drafts) normaliser.accept(draft, events)
      for (const event of events) view.event(event)
    },
    pass(ms: number) {
      now += ms
      tick()
    },
    async screen(): Promise<string> {
      await new Promise<void>((resolve) => terminal.write('', resolve))
      const { active } = terminal.buffer
      const lines = Array.from(
        { length: active.length },
        (_, row) => active.getLine(row)?.translateToString(true) ?? '',
      )
      return `${lines.join('\n').trimEnd()}\n`
    },
  }
}

const RESULT = {
  ...{ runId: 'r', agent: 'claude', model: null, sessionId: '565fa31e-b1db-443a-94a3-c9dbf5947026', text: '' },
  ...{ durationMs: 64_200, exitCode: 0, signal: null, exitReason: 'completed' as const, turnCount: 1, error: null },
  ...{ usageByModel: {}, events: [], tags: [], unrecognized: {}, outcome: { kind: 'completed' as const } },
  cost: { totalUsd: 0.0123, inputTokens: 1234, outputTokens: 56 },
  tokenUsage: {
    ...{ inputTokens: 1234, outputTokens: 56, thinkingTokens: 0, cacheReadTokens: 0 },
    ...{ cacheCreationTokens: 0, cachedTokens: 0, totalTokens: 1290 },
  },
}

test.each([40, 80, 160])('a run on a terminal of %i columns', async (columns) => {
  const { view, show, pass, screen, titles } = stage(columns)
  pass(1300)
  const start = await screen()
  show(DRAFTS)
  pass(61_000)
  const working = await screen()
  show(REST)
  view.finish(RESULT)
  const end = await screen()
  const all = [start, working, end].join(`${'='.repeat(columns)}\n`)
  await expect(all).toMatchFileSnapshot(`fixtures/live-view-${columns}.txt`)
  expect(titles()).toBe(0)
  for (const line of all.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(columns)
})

test.each(['NO_COLOR=1', 'TERM=dumb'])('plain with %s', async (assignment) => {
  const [name = '', value = ''] = assignment.split('=')
  const { view, show, screen } = stage(80, { [name]: value })
  show([...DRAFTS, ...REST])
  view.finish(RESULT)
  const text = await screen()
  expect(text).toContain('# What I found')
  expect(text).toContain('The parser **drops the last token** when')
})

test('a dumb terminal gets no status line', async () => {
  const { show, screen } = stage(80, { TERM: 'dumb' })
  show(DRAFTS.slice(0, 1))
  expect(await screen()).toBe('\n')
})
