import { expect, test } from 'vitest'
import { opencode } from './opencode.ts'
import { turnRecord } from './turn-record.ts'

const tokens = (input: number, read = 0) => ({ input, output: 10, reasoning: 5, cache: { read, write: 0 } })
const row = (id: string, data: object, session_id = 'ses_1') => ({ id, session_id, data: JSON.stringify(data) })
const prompt = row('msg_1', { role: 'user' })
const step = (id: string, input: number, more: object = {}, session?: string) =>
  row(
    id,
    { role: 'assistant', providerID: 'p', modelID: 'm', tokens: tokens(input, 100), time: { completed: 1 }, ...more },
    session,
  )
const { read, file } = turnRecord(opencode)
const readRows = (...rows: object[]) => read(rows.map((one) => JSON.stringify(one)).join('\n'))

test('each request of a turn counts, those of a sub-agent too', () => {
  const turn = readRows(
    prompt,
    step('msg_2', 1, { finish: 'tool-calls' }),
    row('msg_3', { role: 'user' }, 'ses_2'),
    step('msg_4', 20, {}, 'ses_2'),
    step('msg_5', 300, { finish: 'stop' }),
  )
  expect(turn).toMatchObject({ turn: 'msg_1', failure: undefined })
  expect(turn?.usage.map(({ counts, model }) => [counts.inputTokens, counts.outputTokens, model])).toEqual([
    [101, 15, 'p/m'],
    [120, 15, 'p/m'],
    [400, 15, 'p/m'],
  ])
})

test('a turn that is not written to its end is none yet', () => {
  expect(read('')).toBeNull()
  expect(readRows(prompt)).toBeNull()
  expect(readRows(prompt, step('msg_2', 1, { time: {} }))).toBeNull()
  // What a sub-agent has done is not the end of the turn.
  expect(readRows(prompt, step('msg_2', 1, { time: {} }), step('msg_3', 1, {}, 'ses_2'))).toBeNull()
})

test('only the protocol reports an answer that was cut as complete', () => {
  expect(readRows(prompt, step('msg_2', 1, { finish: 'length' }))?.failure).toMatch(/cut/)
})

test('what the provider has said, with its status', () => {
  const data = { message: 'Country, region, or territory not supported', statusCode: 403 }
  const turn = readRows(prompt, step('msg_2', 0, { error: { name: 'APIError', data } }))
  expect(turn?.error).toMatchObject([{ fail: { outcome: { kind: 'auth_required', evidence: data.message } } }])
})

test('its database is below the data of the user', () => {
  expect(file('ses_1')).toMatchObject({ variable: 'XDG_DATA_HOME', path: 'opencode/opencode.db' })
})

test('the answer is what was said after the last tool, without what broke off', () => {
  const parts = (...all: object[]) => ({ parts: JSON.stringify(all) })
  const called = { ...step('msg_2', 1), ...parts({ type: 'text', text: 'I look.' }, { type: 'tool', text: null }) }
  const said = { ...step('msg_3', 1), ...parts({ type: 'text', text: '' }, { type: 'text', text: 'Done.' }) }
  expect(readRows(prompt, called, said)?.answer).toBe('Done.')
  expect(readRows(prompt, called)?.answer).toBe('')
})
