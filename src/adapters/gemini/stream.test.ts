import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createState } from './state.ts'
import { streamRecord, textLine } from './stream.ts'

it('a line that is read by its form says what its record says', () => {
  const record = { type: 'message', timestamp: '2026-11-15T18:49:40.240Z', role: 'assistant', delta: true }
  const state = createState({ agent: 'gemini', prompt: '' })
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (content) => {
      const { delta, ...before } = record
      const whole = { ...before, content, delta }
      const read = textLine(JSON.stringify(whole))
      if (!/\\u/.test(JSON.stringify(content)) && !/[\x7f-\x9f]/.test(content)) expect(read).not.toBeNull()
      if (read !== null) expect(read).toEqual(streamRecord(state, whole))
    }),
  )
  for (const other of [record, { ...record, content: 'x', role: 'user' }, { ...record, content: 'x', tool: 1 }]) {
    expect(textLine(JSON.stringify(other))).toBeNull()
  }
})
