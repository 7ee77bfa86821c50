import fc from 'fast-check'
import { describe, test } from 'vitest'
import type { RunOptions } from '../../contract/run-options.ts'
import { createDialogue } from './dialogue.ts'
import { fixture, linesOf, SCENARIOS } from './fixtures/replay.ts'

describe('totality', () => {
  const corpus = SCENARIOS.flatMap((name) => linesOf(fixture(`${name}/stdout.jsonl`)))
  const methods = [...new Set(corpus.flatMap((line) => /"method":"([^"]+)"/.exec(line)?.[1] ?? []))]
  const types = ['thread.started', 'item.started', 'item.completed', 'turn.completed', 'turn.failed', 'error']
  const items = ['commandExecution', 'fileChange', 'mcpToolCall', 'reasoning', 'agent_message', 'subAgentActivity', 'x']
  const junk = fc.jsonValue()
  const item = fc.record({ type: fc.constantFrom(...items), id: junk, changes: junk, status: junk, text: junk })
  const record = fc.oneof(
    fc.record({
      method: fc.constantFrom(...methods),
      params: fc.oneof(junk, fc.record({ item, turn: junk, delta: junk })),
    }),
    fc.record({
      id: fc.nat(4),
      method: fc.constantFrom(...methods),
      params: fc.oneof(junk, fc.record({ questions: junk })),
    }),
    fc.record({ id: fc.nat(4), result: junk }),
    fc.record({ id: fc.nat(4), error: junk }),
    fc.record({ type: fc.constantFrom(...types), item: fc.oneof(junk, item), message: junk, usage: junk, error: junk }),
  )

  test('no record, no garbage and no broken line makes it throw', () => {
    const line = fc.oneof(
      record.map((value) => JSON.stringify(value)),
      fc.string(),
      fc.tuple(fc.constantFrom(...corpus), fc.nat(400)).map(([text, end]) => text.slice(0, end)),
    )
    fc.assert(
      fc.property(fc.boolean(), fc.array(fc.tuple(line, fc.boolean()), { maxLength: 30 }), (isLive, given) => {
        const options: RunOptions = { prompt: 'x', nonInteractive: !isLive }
        const dialogue = createDialogue(options)
        if (isLive) dialogue.start(options)
        for (const [text, isStderr] of given) dialogue.onLine(text, isStderr ? 'stderr' : 'stdout')
        for (const type of ['interrupt', 'close'] as const) dialogue.onCommand({ type })
        dialogue.onExit({ exitCode: 1, signal: null, stderr: '' })
      }),
      { numRuns: 500 },
    )
  })
})
