import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { wire } from './fixtures/wire.ts'
import { turnRecord } from './turn-record.ts'

describe('its own record of a turn', () => {
  const read = (name: string) => turnRecord.read(readFileSync(wire(name), 'utf8'), {})

  test('usage of each request to the model', () => {
    const part = { counts: { inputTokens: 1150, outputTokens: 25, cacheReadTokens: 1000 } }
    expect(read('tool')).toMatchObject({ usage: [part, part], retries: [], failure: undefined })
  })

  test('why it failed, and what was tried', () => {
    const evidence = read('rate-limit')
    expect(evidence?.failure).toBe('provider.rate_limit: 429 Rate limit reached for requests. Please try again in 1s.')
    expect(evidence?.retries).toMatchObject([
      { emit: { type: 'rate_limited' } },
      { emit: { type: 'retry', attempt: 1 } },
    ])
  })

  test('a turn that is not written to its end is none yet', () => {
    const lines = readFileSync(wire('tool'), 'utf8').split('\n')
    const end = lines.findIndex((line) => line.startsWith('{"type":"turn.ended"'))
    expect(turnRecord.read(lines.slice(0, end).join('\n'), {})).toBeNull()
    for (const text of ['', '{}', 'x\n{"type":"turn.prompt"']) expect(turnRecord.read(text, {})).toBeNull()
  })
})
