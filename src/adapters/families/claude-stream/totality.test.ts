import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isRecord } from '../../../core/json.ts'
import { createDialogue } from '../../claude/dialogue.ts'
import { fixture, linesOf } from '../../claude/fixtures/replay.ts'

const RECORDED = ['c-tool-partial', 'c-denied', 'subagent', 'refusal', 'e-429', 'h-mcp'].flatMap((scenario) =>
  linesOf(fixture(`2.1.325/${scenario}/stdout.jsonl`)),
)

const word = (...words: string[]) => fc.constantFrom(...words)

/** Records with the names the dialogue looks for, and anything at all below them. */
const record = fc.record(
  {
    type: word(
      'system',
      'assistant',
      'user',
      'result',
      'stream_event',
      'control_request',
      'control_response',
      'rate_limit_event',
      'x',
    ),
    subtype: word(
      'init',
      'api_retry',
      'permission_denied',
      'task_started',
      'task_notification',
      'compact_boundary',
      'success',
    ),
    event: fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          type: word('content_block_start', 'content_block_delta', 'message_start'),
          delta: fc.jsonValue(),
          content_block: fc.jsonValue(),
        },
        { requiredKeys: [] },
      ),
    ),
    message: fc.oneof(
      fc.jsonValue(),
      fc.record({
        id: fc.jsonValue(),
        content: fc.array(
          fc.oneof(
            fc.jsonValue(),
            fc.record(
              {
                type: word('text', 'tool_use', 'tool_result', 'thinking'),
                id: fc.jsonValue(),
                input: fc.jsonValue(),
                content: fc.jsonValue(),
              },
              { requiredKeys: [] },
            ),
          ),
        ),
      }),
    ),
    request: fc.oneof(
      fc.jsonValue(),
      fc.record(
        { subtype: word('can_use_tool', 'x'), tool_name: word('Bash', 'AskUserQuestion'), input: fc.jsonValue() },
        { requiredKeys: [] },
      ),
    ),
    response: fc.jsonValue(),
    error: fc.jsonValue(),
    rate_limit_info: fc.jsonValue(),
    compact_metadata: fc.jsonValue(),
    modelUsage: fc.jsonValue(),
    model_usage_since_last_result: fc.jsonValue(),
    permission_denials: fc.jsonValue(),
    tool_use_result: fc.jsonValue(),
    is_error: fc.boolean(),
    mcp_servers: fc.jsonValue(),
  },
  { requiredKeys: [] },
)

function run(lines: string[]): void {
  const dialogue = createDialogue({ prompt: 'x' })
  dialogue.start({ prompt: 'x' })
  for (const line of lines) {
    for (const source of ['stdout', 'stderr'] as const) {
      const effects = dialogue.onLine(line, source)
      expect(Array.isArray(effects) && effects.every(isRecord)).toBe(true)
    }
  }
  expect(Array.isArray(dialogue.onExit({ exitCode: 1, signal: null, stderr: lines.join('\n') }))).toBe(true)
}

it('survives any record', () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 8 }), (records) => run(records.map((entry) => JSON.stringify(entry)))),
  )
})

it('survives lines that are not records', () => {
  fc.assert(fc.property(fc.array(fc.oneof(fc.string(), fc.json()), { maxLength: 8 }), run))
})

it('survives recorded lines cut, doubled and out of order', () => {
  const cut = fc
    .tuple(fc.constantFrom(...RECORDED), fc.nat())
    .map(([line, at]) => line.slice(0, at % (line.length + 1)))
  fc.assert(fc.property(fc.array(fc.oneof(fc.constantFrom(...RECORDED), cut), { maxLength: 30 }), run))
})
