import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Effect } from '../../../contract/dialogue.ts'
import { addUsage, emptyUsage } from '../../../core/usage.ts'
import { createDialogue } from '../../claude/dialogue.ts'
import { drafts, fixture, linesOf } from '../../claude/fixtures/replay.ts'
import type { ClaudeDialect } from './dialect.ts'
import { PLAIN_DIALECT } from './plain-dialect.ts'
import { noteReply, unreportedUsage } from './reply-usage.ts'
import { createState } from './state.ts'

const recordings = readdirSync(fileURLToPath(new URL('../../claude/fixtures/2.1.325', import.meta.url)))
const sumOf = (effects: Effect[]) =>
  drafts(effects).reduce((sum, draft) => (draft.type === 'token_usage' ? addUsage(sum, draft) : sum), emptyUsage())

// Whatever the moment at which a run is stopped: what was reported by then is a part of what it comes to in the end.
test.each(recordings)('%s: stopped after any line, its usage is kept and never counts twice', (scenario) => {
  const lines = linesOf(fixture(`2.1.325/${scenario}/stdout.jsonl`))
  const all = createDialogue({ prompt: '', nonInteractive: true })
  const whole = sumOf([...lines.flatMap((line) => all.onLine(line, 'stdout')), ...(all.unreportedUsage?.() ?? [])])
  let before = 0
  for (let count = 1; count <= lines.length; count++) {
    const dialogue = createDialogue({ prompt: '', nonInteractive: true })
    const reported = lines.slice(0, count).flatMap((line) => dialogue.onLine(line, 'stdout'))
    const { totalTokens } = sumOf([...reported, ...(dialogue.unreportedUsage?.() ?? [])])
    expect(totalTokens).toBeGreaterThanOrEqual(before)
    expect(totalTokens).toBeLessThanOrEqual(whole.totalTokens)
    expect(dialogue.unreportedUsage?.()).toEqual([])
    before = totalTokens
  }
})

test('a reply is counted with its last event, before its tools run', () => {
  const dialogue = createDialogue({ prompt: '', nonInteractive: true })
  const lines = linesOf(fixture('2.1.325/c-tool-partial/stdout.jsonl'))
  const result = lines.findIndex((line) => line.includes('"tool_result"'))
  const reported = lines.slice(0, result).flatMap((line) => dialogue.onLine(line, 'stdout'))
  expect(sumOf(reported)).toMatchObject({ inputTokens: 1150, outputTokens: 25 })
})

test('a turn of very many replies counts every token once', () => {
  const dialogue = createDialogue({ prompt: '', nonInteractive: true })
  const reply = (id: number, output: number) => {
    const message = {
      id: `m${id}`,
      role: 'assistant',
      model: 'm',
      content: [],
      usage: { input_tokens: 2, output_tokens: output },
    }
    return dialogue.onLine(JSON.stringify({ type: 'assistant', message, session_id: 's' }), 'stdout')
  }
  // Each is reported in two records, of which the second one adds to the first.
  const reported = Array.from({ length: 2000 }, (_, id) => [...reply(id, 1), ...reply(id, 3)]).flat()
  const result = { type: 'result', subtype: 'success', is_error: false, result: '', session_id: 's' }
  const modelUsage = { m: { inputTokens: 4000, outputTokens: 6000 } }
  const rest = dialogue.onLine(JSON.stringify({ ...result, modelUsage }), 'stdout')
  expect(sumOf([...reported, ...rest])).toMatchObject({ inputTokens: 4000, outputTokens: 6000 })
})

test('a turn keeps a bounded number of replies, however many it has', () => {
  const dialect: ClaudeDialect = { ...PLAIN_DIALECT, agent: 'a', displayName: 'A', tools: {}, guidance: '' }
  const state = createState(dialect, { agent: 'a', prompt: '' })
  for (let id = 0; id < 5000; id++) noteReply(state, `m${id}`, { model: `m${id % 2}`, usage: { output_tokens: 1 } })
  expect(state.replies.size).toBeLessThan(300)
  expect(sumOf(unreportedUsage(state))).toMatchObject({ outputTokens: 5000 })
})
