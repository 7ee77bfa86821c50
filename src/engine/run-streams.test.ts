import { expect, test } from 'vitest'
import { fakeClient } from '../../test/support/client.ts'
import { talkingClient } from '../../test/support/talking.ts'

const MESSAGES = [
  ...[{ type: 'message_start' }, { type: 'text_delta', delta: 'one ' }, { type: 'text_delta', delta: 'two' }],
  ...[{ type: 'message_stop', text: 'one two' }, { type: 'message_start' }, { type: 'text_delta', delta: 'three' }],
  { type: 'message_stop', text: 'three' },
]
const emit = () => fakeClient('emit', [MESSAGES]).run({ agent: 'fake', prompt: 'go' })

test('the text of a run, by iteration and as a web stream', async () => {
  const run = emit()
  const pieces: string[] = []
  for await (const piece of run.textStream) pieces.push(piece)
  expect(pieces.join('')).toBe('one two\n\nthree')
  const reader = run.textStream.getReader()
  expect((await reader.read()).value).toBe('one ')
  await reader.cancel()
})

test('a stream that nobody reads does not hold the run', async () => {
  const records = Array.from({ length: 3000 }, (_, i) => ({ type: 'file_read', path: `${i}` }))
  const run = fakeClient('emit', [records]).run({ agent: 'fake', prompt: 'go', eventBufferSize: 100 })
  void run.textStream
  expect((await run).outcome).toEqual({ kind: 'completed' })
})

test('a run as server-sent events, with the result as the last one', async () => {
  const response = emit().toResponse({ headers: { 'x-mine': '1' } })
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(response.headers.get('x-mine')).toBe('1')
  const events = (await response.text()).trimEnd().split('\n\n')
  expect(events[0]).toMatch(/^id: 1\nevent: session_start\ndata: \{/)
  expect(events.at(-1)).toMatch(/^id: \d+\nevent: run_result\ndata: \{"type":"run_result","runId":/)
})

test('as lines, and as text alone', async () => {
  const lines = (await emit().toResponse({ format: 'ndjson' }).text()).trimEnd().split('\n')
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ type: 'run_result', text: 'three' })
  expect(await emit().toResponse({ format: 'text' }).text()).toBe('one two\n\nthree')
})

test('a client that goes away ends the run, where that is asked for', async () => {
  const run = talkingClient().run({ agent: 'talks', prompt: 'hello', keepOpen: true })
  const body = run.toResponse({ onDisconnect: 'abort' }).body
  const reader = body?.getReader()
  await reader?.read()
  await reader?.cancel()
  expect((await run).outcome).toEqual({ kind: 'cancelled', evidence: 'aborted by the caller: the client has gone' })
})

test('the reason of an abort is kept, not in JSON', async () => {
  const reason = new Error('out of patience')
  const run = talkingClient().run({ agent: 'talks', prompt: 'hello', keepOpen: true })
  await run.abort(reason)
  const result = await run
  expect(result.outcome).toEqual({ kind: 'cancelled', evidence: 'aborted by the caller: out of patience' })
  expect(result.error?.cause).toBe(reason)
  expect(JSON.stringify(result.error)).not.toContain('cause')
  const aborted = new AbortController()
  aborted.abort('no need')
  const never = await talkingClient().run({ agent: 'talks', prompt: 'hello', signal: aborted.signal })
  expect(never.error).toMatchObject({ code: 'ABORTED', message: 'aborted by the caller: no need' })
  const plain = talkingClient().run({ agent: 'talks', prompt: 'hello', keepOpen: true })
  await plain.abort()
  expect((await plain).outcome.evidence).toBe('aborted by the caller')
})

test('what is disposed of has ended', async () => {
  const client = talkingClient()
  const run = client.run({ agent: 'talks', prompt: 'hello', keepOpen: true })
  await run[Symbol.asyncDispose]()
  expect(run.state).toBe('aborted')
  const other = client.run({ agent: 'talks', prompt: 'hello', keepOpen: true })
  await client[Symbol.asyncDispose]()
  expect(other.state).toBe('aborted')
})
