import { expect, test } from 'vitest'
import type { Dialogue, Effect } from '../../contract/dialogue.ts'
import { createDialogue } from './dialogue.ts'

const dialogue = () => createDialogue({ prompt: 'x' })
const hear = ({ onLine }: Dialogue, ...records: object[]): Effect[] =>
  records.flatMap((record) => onLine(JSON.stringify(record), 'stdout'))
const emitted = (effects: Effect[]) => effects.flatMap((effect) => ('emit' in effect ? [effect.emit.type] : []))
const ended = ({ onExit }: Dialogue, exitCode = 0) => onExit({ exitCode, signal: null, stderr: '' })
const outcome = (effects: Effect[]) => effects.flatMap((effect) => ('fail' in effect ? [effect.fail.outcome] : []))

const stamp = { runId: 'far', agent: 'claude', timestamp: 1 }
const request = { ...stamp, type: 'approval_request', interactionId: 'a', action: 'x', detail: 'd', riskLevel: 'low' }

test('an event passes as it is', () => {
  const event = { ...stamp, type: 'text_delta', delta: 'hi' }
  expect(hear(dialogue(), event)).toEqual([{ emit: event }])
})

test('what is not an event, or lacks something, is counted', () => {
  const records = [{ type: 'text_delta' }, { type: 'cost', cost: 1 }, { type: 'newer' }, { a: 1 }]
  expect(hear(dialogue(), ...records)).toEqual([
    { unrecognized: 'text_delta' },
    { unrecognized: 'cost' },
    { unrecognized: 'newer' },
    { unrecognized: 'record' },
  ])
  expect(dialogue().onLine('Welcome to this machine', 'stdout')).toEqual([{ unrecognized: 'text' }])
})

test('a request is handed on once it is known to wait', () => {
  const one = dialogue()
  expect(hear(one, request)).toEqual([])
  expect(emitted(hear(one, { type: 'run_waiting', interactionId: 'a' }))).toEqual(['approval_request'])
})

test('a request that is settled over there comes in one breath with its answer', () => {
  const denied = { ...stamp, type: 'approval_denied', interactionId: 'a' }
  expect(emitted(hear(dialogue(), request, denied))).toEqual(['approval_request', 'approval_denied'])
})

test('our own answer is not reported twice', () => {
  const one = dialogue()
  hear(one, request, { type: 'run_waiting', interactionId: 'a' })
  const command = { type: 'approve', interactionId: 'a' } as const
  expect(one.onCommand(command)).toEqual([{ write: JSON.stringify(command) }])
  const granted = { ...stamp, type: 'approval_granted', interactionId: 'a' }
  expect(emitted(hear(one, granted, granted))).toEqual(['approval_granted'])
})

test('is busy with turns that have not begun, and with its goodbye', () => {
  const one = dialogue()
  const start = { ...stamp, type: 'turn_start', turnIndex: 0 }
  expect(one.busy?.()).toBe(true)
  hear(one, start)
  expect(one.busy?.()).toBe(false)
  one.onCommand({ type: 'user_turn', text: 'more' })
  expect(one.busy?.()).toBe(true)
  hear(one, start)
  one.onCommand({ type: 'close' })
  expect(one.busy?.()).toBe(true)
  hear(one, { type: 'run_result', outcome: { kind: 'completed' } })
  expect(one.busy?.()).toBe(false)
})

test('the verdict is that of the other side, with its terminal event', () => {
  const one = dialogue()
  const timeout = { ...stamp, type: 'timeout', kind: 'inactivity' }
  const far = { kind: 'timed_out', evidence: 'no output for too long' }
  expect(emitted(hear(one, timeout, { type: 'run_result', outcome: far }))).toEqual([])
  expect(ended(one, 11)).toEqual([{ fail: { event: timeout, outcome: far, transient: false } }])
})

test('facts that no event reports come with the result', () => {
  const cost = { totalUsd: 1, inputTokens: 2, outputTokens: 3 }
  const result = { type: 'run_result', model: 'm', cost, structuredOutput: [1], unrecognized: { odd: 2 } }
  const effects = hear(dialogue(), result)
  expect(effects).toEqual([
    { closeStdin: true },
    { model: 'm' },
    { emit: { type: 'cost', cost: expect.objectContaining({ ...cost, source: 'price-table' }) } },
    { structuredOutput: [1] },
    { unrecognized: 'odd' },
    { unrecognized: 'odd' },
  ])
})

test('a refusal keeps its code', () => {
  const one = dialogue()
  hear(one, { ok: false, error: { code: 'CAPABILITY_ERROR', message: 'it cannot' } })
  expect(outcome(ended(one, 9))).toEqual([{ kind: 'failed', code: 'CAPABILITY_ERROR', evidence: 'it cannot' }])
  const error = { code: 'STDIN_NOT_AVAILABLE', message: 'no more input' }
  expect(outcome(hear(dialogue(), { type: 'run_refused', command: 'user_turn', error }))).toHaveLength(1)
  expect(emitted(hear(dialogue(), { type: 'run_refused', command: 'set_model', error }))).toEqual(['debug'])
})

test('an end without a result', () => {
  expect(outcome(ended(dialogue(), 0))).toMatchObject([{ kind: 'protocol_drift' }])
  expect(ended(dialogue(), 255)).toEqual([])
})
