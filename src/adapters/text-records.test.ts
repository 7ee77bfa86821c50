import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonRecord } from '../core/json.ts'
import { textRecord as codexText } from './codex/app-server.ts'
import { textRecord as copilotText } from './copilot/stream.ts'

const ID = '01a1e09e-2ca2-72b0-b459-add09de59f8b'

interface Form {
  read(line: string): JsonRecord | null
  /** What the adapter reads of a piece of text, and what else the CLI writes beside it. */
  record(text: string): JsonRecord
  beside: JsonRecord
}

const FORMS: Record<string, Form> = {
  codex: {
    read: codexText,
    record: (delta) => ({
      method: 'item/agentMessage/delta',
      params: { threadId: ID, turnId: ID, itemId: 'msg_1', delta },
    }),
    beside: { emittedAtMs: 1794769825674 },
  },
  copilot: {
    read: copilotText,
    record: (deltaContent) => ({ type: 'assistant.message_delta', data: { messageId: ID, deltaContent } }),
    beside: { ephemeral: true, id: ID, timestamp: '2026-11-15T18:50:50.112Z', parentId: ID },
  },
}

describe.each(Object.entries(FORMS))('a piece of text of %s', (_agent, { read, record, beside }) => {
  const lineOf = (text: string, more: JsonRecord = {}) => JSON.stringify({ ...record(text), ...beside, ...more })

  it('is read by its form, to what parsing it would give', () => {
    for (const text of ['', 'Grüße, 世界 👋', 'say "hello"\n\tC:\\dir']) {
      expect(read(lineOf(text))).toEqual(record(text))
    }
  })

  it('is never anything else than what JSON.parse gives', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const found = read(lineOf(text))
        if (found !== null) expect(found).toEqual(record(text))
      }),
    )
  })

  it('leaves every other line to the parser', () => {
    const line = lineOf('hello')
    const others = [
      lineOf('hello', { agentId: 'sub-agent' }),
      lineOf('\u0007'),
      lineOf('x'.repeat(100_000)),
      line.slice(0, -1),
      `${line} `,
      line.replace('hello', 'hel\tlo'),
      line.replace('hello', 'hello\\'),
    ]
    for (const other of others) expect(read(other)).toBeNull()
  })
})
