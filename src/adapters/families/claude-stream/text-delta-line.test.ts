import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textDeltaLine } from './text-delta-line.ts'

const id = '122723fa-e263-4479-b36a-22ccaf6c31d7'

function record(text: string, more: object = {}, index = 0) {
  const event = { type: 'content_block_delta', index, delta: { type: 'text_delta', text } }
  return { type: 'stream_event', event, session_id: id, parent_tool_use_id: null, uuid: id, ...more }
}

describe('textDeltaLine', () => {
  it('reads plain text as it is', () => {
    expect(textDeltaLine(JSON.stringify(record('Grüße, 世界 👋')))).toBe('Grüße, 世界 👋')
    expect(textDeltaLine(JSON.stringify(record('say "hello"\n\tC:\\dir')))).toBe('say "hello"\n\tC:\\dir')
    expect(textDeltaLine(JSON.stringify(record('', { api_message_id: 'msg_1' }, 12)))).toBe('')
  })

  it('never says anything else than JSON.parse', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const read = textDeltaLine(JSON.stringify(record(text)))
        expect(read === null || read === text).toBe(true)
        // Only what has no short escape is left to the parser.
        if (!/\\u/.test(JSON.stringify(text)) && !/[\x7f-\x9f]/.test(text)) expect(read).toBe(text)
      }),
    )
  })

  it('leaves every other line to the parser', () => {
    const line = JSON.stringify(record('hello'))
    const others = [
      JSON.stringify(record('hello', { parent_tool_use_id: 'toolu_1' })),
      JSON.stringify(record('hello', { error: 'cut' })),
      JSON.stringify(record('\u0007')),
      JSON.stringify(record('x'.repeat(20_000_000))),
      line.slice(0, -1),
      `${line} `,
      line.replace('hello', 'hel\tlo'),
      line.replace('hello', 'hello\\'),
      line.replace('"index":0', '"index":-1'),
    ]
    for (const other of others) expect(textDeltaLine(other)).toBeNull()
  })
})
