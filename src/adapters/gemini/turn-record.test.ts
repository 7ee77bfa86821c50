import { expect, test } from 'vitest'
import { turnRecord } from './turn-record.ts'

const user = (id: string, text: string) => ({ id, type: 'user', content: [{ text }] })
const answer = (id: string, input: number) => ({
  id,
  type: 'gemini',
  content: 'x',
  model: 'gemini-3.8-flash',
  tokens: { input, output: 20, cached: 600, thoughts: 15, tool: 0, total: input + 35 },
})
const read = (reported: number, ...records: object[]) =>
  turnRecord.read(records.map((one) => JSON.stringify(one)).join('\n'), {
    _meta: { quota: { token_count: { input_tokens: reported, output_tokens: 20 } } },
  })

test('thoughts and cached tokens of each request since the last prompt', () => {
  const records = [user('a', 'one'), answer('b', 1000), user('c', 'two'), answer('d', 2000), answer('e', 3000)]
  const turn = read(5000, ...records)
  expect(turn?.usage.map(({ counts }) => counts)).toMatchObject([
    { inputTokens: 2000, outputTokens: 35, thinkingTokens: 15, cacheReadTokens: 600 },
    { inputTokens: 3000, outputTokens: 35, thinkingTokens: 15, cacheReadTokens: 600 },
  ])
  expect(turn?.usage[0]?.model).toBe('gemini-3.8-flash')
  expect(turn?.turn).not.toBe(read(1000, ...records.slice(0, 2))?.turn)
})

test('as long as less is written than the protocol has reported, more is to come', () => {
  expect(read(5000, user('c', 'two'), answer('d', 2000))).toBeNull()
  expect(read(5000)).toBeNull()
})

test('a message that is reported again counts once', () => {
  expect(read(2000, user('c', 'two'), answer('d', 2000), answer('d', 2000))?.usage).toHaveLength(1)
})

test('the answer is what was said after the last tool', () => {
  const call = { ...answer('d', 2000), toolCalls: [{ id: 't', name: 'x' }] }
  const result = { stopReason: 'end_turn', _meta: { quota: { token_count: { input_tokens: 0 } } } }
  const readEnded = (...records: object[]) =>
    turnRecord.read(records.map((one) => JSON.stringify(one)).join('\n'), result)
  expect(readEnded(user('c', 'two'), call, answer('e', 1))).toMatchObject({ answer: 'x', isUnanswered: false })
  expect(readEnded(user('c', 'two'), call)).toMatchObject({ answer: '', isUnanswered: true })
  expect(readEnded(user('c', 'two'))).toMatchObject({ answer: '', isUnanswered: true })
  expect(turnRecord.hasGivenUp?.(result)).toBe(true)
  expect(turnRecord.hasGivenUp?.({ ...result, stopReason: 'cancelled' })).toBe(false)
})
