import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chunkLine } from './chunk-line.ts'

const META = { totalTokens: 137, eventId: '01a1e0a2-11', agentTimestampMs: 1794770139771, chunkId: 1 }

function record(text: string, { update = {}, params = {} }: { update?: object; params?: object } = {}) {
  const chunk = { sessionUpdate: 'agent_message_chunk', ...update, content: { type: 'text', text } }
  return { jsonrpc: '2.0', method: 'session/update', params: { sessionId: 'session_1', update: chunk, ...params } }
}

describe('chunkLine', () => {
  it('gives what parsing would give of the session and its update', () => {
    const records = [
      record('Grüße, 世界 👋'),
      record('say "hello"\n\tC:\\dir', { params: { _meta: META } }),
      record('', { update: { messageId: 'msg_1' } }),
      record('hm', { update: { sessionUpdate: 'agent_thought_chunk' } }),
    ]
    for (const one of records) {
      const { sessionId, update } = one.params
      expect(chunkLine(JSON.stringify(one))).toEqual({ sessionId, update })
    }
  })

  it('never says anything else than JSON.parse', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, hasMeta) => {
        const one = record(text, hasMeta ? { params: { _meta: { ...META, text } } } : {})
        const read = chunkLine(JSON.stringify(one))
        if (read !== null) expect(read).toEqual({ sessionId: one.params.sessionId, update: one.params.update })
      }),
    )
  })

  it('leaves every other line to the parser', () => {
    const line = JSON.stringify(record('hello'))
    const withMeta = JSON.stringify(record('hello', { params: { _meta: META } }))
    const others = [
      JSON.stringify(record('\u0007')),
      JSON.stringify(record('x'.repeat(20_000_000))),
      JSON.stringify(record('hello', { update: { _meta: { usage: { inputTokens: 1 } } } })),
      JSON.stringify(record('hello', { params: { _meta: { usage: { inputTokens: 1 } } } })),
      JSON.stringify(record('hello', { update: { sessionUpdate: 'user_message_chunk' } })),
      JSON.stringify({ ...record('hello'), id: 1 }),
      line.slice(0, -1),
      `${line} `,
      line.replace('hello', 'hel\tlo'),
      line.replace('hello', 'hello\\'),
      withMeta.replace('137', '0137'),
      withMeta.replace('137,', '137,,'),
    ]
    for (const other of others) expect(chunkLine(other)).toBeNull()
  })
})
