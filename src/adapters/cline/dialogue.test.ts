import { expect, test } from 'vitest'
import type { Dialogue, Effect } from '../../contract/dialogue.ts'
import { createDialogue } from './dialogue.ts'

const options = { agent: 'cline', prompt: 'p' }
const feed = (dialogue: Dialogue, record: object) => dialogue.onLine(JSON.stringify(record), 'stdout')
const event = (dialogue: Dialogue, fields: object) => feed(dialogue, { type: 'agent_event', event: fields })
const emits = (effects: Effect[]) => effects.flatMap((effect) => ('emit' in effect ? [effect.emit] : []))
const kinds = (effects: Effect[]) => effects.flatMap((effect) => ('fail' in effect ? [effect.fail.outcome.kind] : []))

const tool = { contentType: 'tool', toolName: 'run_commands', toolCallId: 'c' }

test('what a command prints is reported once', () => {
  const dialogue = createDialogue(options)
  const started = emits(event(dialogue, { type: 'content_start', ...tool, input: { commands: ['ls', 'pwd'] } }))
  expect(started[1]).toMatchObject({ type: 'shell_start', command: 'ls\npwd' })
  const update = { stream: 'stdout', chunk: 'a\n' }
  expect(emits(event(dialogue, { type: 'content_update', ...tool, update }))).toMatchObject([{ delta: 'a\n' }])
  const output = [{ query: 'ls', result: 'a\n', success: true }]
  const ended = emits(event(dialogue, { type: 'content_end', ...tool, output }))
  expect(ended.map(({ type }) => type)).toEqual(['shell_exit', 'tool_result'])
})

test('a call that needs an approval is a denial', () => {
  const dialogue = createDialogue(options)
  const editor = { contentType: 'tool', toolName: 'editor', toolCallId: 'c' }
  event(dialogue, { type: 'content_start', ...editor, input: {} })
  const output = { error: 'Tool "editor" requires approval in a TTY session' }
  expect(emits(event(dialogue, { type: 'content_end', ...editor, output })).map(({ type }) => type)).toEqual([
    'approval_request',
    'approval_denied',
    'tool_error',
  ])
})

test('tools of MCP servers are reported as such', () => {
  const call = { type: 'content_start', contentType: 'tool', toolName: 'tiny__echo', toolCallId: 'c', input: {} }
  expect(emits(event(createDialogue(options), call))[1]).toMatchObject({ server: 'tiny', toolName: 'echo' })
})

test.each([
  [{ type: 'error', error: { message: 'No.' }, errorClass: 'auth' }, 'auth_required'],
  [{ type: 'error', error: { message: 'Rate limit reached for requests' }, errorClass: 'unknown' }, 'rate_limited'],
])('%j ends the run with %s', (error, kind) => {
  const dialogue = createDialogue(options)
  expect(event(dialogue, error)).toEqual([])
  expect(kinds(feed(dialogue, { type: 'run_result', finishReason: 'error', text: 'x' }))).toEqual([kind])
})

test('an error on the way to a good end is none', () => {
  const dialogue = createDialogue(options)
  event(dialogue, { type: 'error', error: { message: '1 tool call(s) failed' } })
  const model = { id: 'm' }
  const effects = feed(dialogue, { type: 'run_result', finishReason: 'completed', usage: { totalCost: 0 }, model })
  expect(kinds(effects)).toEqual([])
  expect(effects).toContainEqual({ model: 'm' })
})

test('without a result the cause is on stderr', () => {
  const stderr = '{"type":"error","message":"JSON output mode requires a prompt argument"}\n'
  expect(kinds(createDialogue(options).onExit({ exitCode: 1, signal: null, stderr }))).toEqual(['failed'])
})
