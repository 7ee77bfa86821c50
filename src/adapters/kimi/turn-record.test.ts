import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { wire } from './fixtures/wire.ts'
import { turnRecord } from './turn-record.ts'

describe('its own record of a turn', () => {
  const read = (name: string) => turnRecord.read(readFileSync(wire(name), 'utf8'), {})

  test('usage of each request to the model', () => {
    const part = { counts: { inputTokens: 1150, outputTokens: 25, cacheReadTokens: 1000 } }
    expect(read('tool')).toMatchObject({ usage: [part, part], answer: 'The command has run.', failure: undefined })
  })

  test('why it failed', () => {
    const evidence = read('rate-limit')
    expect(evidence?.failure).toBe('provider.rate_limit: 429 Rate limit reached for requests. Please try again in 1s.')
  })

  test('a response that broke off is no part of the answer', () => {
    const lines = readFileSync(wire('tool'), 'utf8').split('\n')
    const step = lines.findIndex((line) => line.includes('"type":"content.part"') && line.includes('has run'))
    const event = (one: object) => JSON.stringify({ type: 'context.append_loop_event', event: one })
    const cut = [
      event({ type: 'content.part', part: { type: 'text', text: 'The comm' } }),
      event({ type: 'step.end', finishReason: 'error' }),
    ]
    const text = [...lines.slice(0, step), ...cut, ...lines.slice(step)].join('\n')
    expect(turnRecord.read(text, {})?.answer).toBe('The command has run.')
  })

  test('a turn that is not written to its end is none yet', () => {
    const lines = readFileSync(wire('tool'), 'utf8').split('\n')
    const end = lines.findIndex((line) => line.startsWith('{"type":"turn.ended"'))
    expect(turnRecord.read(lines.slice(0, end).join('\n'), {})).toBeNull()
    for (const text of ['', '{}', 'x\n{"type":"turn.prompt"']) expect(turnRecord.read(text, {})).toBeNull()
  })
})
