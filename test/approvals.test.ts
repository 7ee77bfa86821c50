import { describe, expect, test } from 'vitest'
import { CapabilityError } from '../src/contract/errors.ts'
import { filterEvents } from '../src/contract/event-guards.ts'
import type { AgentEvent } from '../src/contract/events.ts'
import { collect, texts, types } from './support/client.ts'
import { talkingClient } from './support/talking.ts'
import { until } from './support/until.ts'

const agent = 'talks'

describe('approvals and questions', () => {
  const answerOf = (events: readonly AgentEvent[]) => JSON.parse(texts(events)[0] ?? 'null')

  test('prompt: approve() answers, the events tell it', async () => {
    const handle = talkingClient().run({ agent, prompt: 'approve' })
    handle.on('approval_request', () => setImmediate(() => void handle.approve('fine')))
    const { events, result } = await collect(handle)
    expect(answerOf(events)).toEqual({ type: 'approve', interactionId: 'a1', detail: 'fine' })
    expect(types(events)).toContain('approval_granted')
    expect(result.outcome.kind).toBe('completed')
  })

  test('prompt: deny() makes the run permission_blocked', async () => {
    const handle = talkingClient().run({ agent, prompt: 'approve' })
    handle.interaction.onPending(() => void handle.deny('no'))
    const { events, result } = await collect(handle)
    expect(answerOf(events)).toEqual({ type: 'deny', interactionId: 'a1', reason: 'no' })
    expect(filterEvents(events, 'approval_denied')).toMatchObject([{ interactionId: 'a1', reason: 'no' }])
    expect(result.outcome).toMatchObject({ kind: 'permission_blocked', tools: ['shell'] })
    expect(result).toMatchObject({ exitReason: 'completed', error: null })
  })

  test('the channel lists what is pending and takes the answer by id', async () => {
    const handle = talkingClient().run({ agent, prompt: 'ask' })
    const [question] = await until('it asks', () => handle.interaction.pending.length > 0 && handle.interaction.pending)
    expect(question).toMatchObject({
      id: 'q1',
      type: 'input',
      runId: handle.runId,
      description: 'which one?',
      detail: { kind: 'input', question: 'which one?', source: 'agent' },
    })
    expect(() => handle.interaction.respond('q2', { type: 'text', text: 'x' })).toThrow(/No interaction q2/)
    handle.interaction.approveAll() // skips questions
    expect(handle.interaction.pending).toHaveLength(1)
    handle.interaction.respond('q1', { type: 'text', text: 'the left one' })
    expect(handle.interaction.pending).toHaveLength(0)
    const { events, result } = await collect(handle)
    expect(answerOf(events)).toEqual({ type: 'answer', interactionId: 'q1', text: 'the left one' })
    expect(result.outcome.kind).toBe('completed')
  })

  test('an approval cannot be answered with text, and nothing pending cannot be approved', async () => {
    const handle = talkingClient().run({ agent, prompt: 'approve' })
    await expect(handle.approve()).rejects.toMatchObject({ code: 'NO_PENDING_INTERACTION' })
    await until('it asks', () => handle.interaction.pending.length > 0)
    expect(() => handle.interaction.respond('a1', { type: 'text', text: 'yes' })).toThrow(/answer with approve or deny/)
    handle.interaction.denyAll('no')
    expect((await handle).outcome.kind).toBe('permission_blocked')
  })

  test('yolo approves, deny denies without asking the callback', async () => {
    const yolo = await collect(talkingClient().run({ agent, prompt: 'approve', approvalMode: 'yolo' }))
    expect(answerOf(yolo.events)).toMatchObject({ type: 'approve' })
    let asked = 0
    const onApprovalRequest = () => {
      asked += 1
      return 'approve' as const
    }
    const deny = await collect(
      talkingClient().run({ agent, prompt: 'approve', approvalMode: 'deny', onApprovalRequest }),
    )
    expect(answerOf(deny.events)).toMatchObject({ type: 'deny' })
    expect(deny.result.outcome.kind).toBe('permission_blocked')
    expect(asked).toBe(0)
  })

  test('callbacks answer; one that throws denies', async () => {
    const run = (options: object) => collect(talkingClient().run({ agent, prompt: 'approve', ...options }))
    const approved = await run({ onApprovalRequest: async () => 'approve' })
    expect(answerOf(approved.events)).toMatchObject({ type: 'approve' })
    const broken = await run({
      approvalMode: 'yolo',
      onApprovalRequest: () => {
        throw new Error('oops')
      },
    })
    expect(answerOf(broken.events)).toMatchObject({ type: 'deny', reason: 'The callback failed: oops' })
    expect(broken.result.outcome.kind).toBe('permission_blocked')
    const asked = await collect(talkingClient().run({ agent, prompt: 'ask', onInputRequired: async () => 'this' }))
    expect(answerOf(asked.events)).toMatchObject({ type: 'answer', text: 'this' })
  })

  test('a watcher that throws harms nothing', async () => {
    const handle = talkingClient().run({ agent, prompt: 'approve' })
    handle.interaction.onPending(() => {
      throw new Error('oops')
    })
    handle.interaction.onPending(() => void handle.approve())
    const { events, result } = await collect(handle)
    expect(result.outcome.kind).toBe('completed')
    expect(filterEvents(events, 'debug')[0]?.message).toContain('oops')
  })

  test('a question nobody answers is the outcome', async () => {
    const handle = talkingClient().run({ agent, prompt: 'ask' })
    await until('it asks', () => handle.interaction.pending.length > 0)
    await handle.deny('no idea')
    expect((await handle).outcome).toEqual({ kind: 'question_unanswered', evidence: 'which one?' })
  })

  test('an agent that cannot take the answer: CapabilityError, and the request stays open', async () => {
    const mux = talkingClient({
      createDialogue: () => ({
        start: () => [{ write: JSON.stringify({ type: 'user_turn', text: 'approve' }) }],
        onLine: (line) => [{ emit: JSON.parse(line).emit }],
        onCommand: () => null,
        onExit: () => [],
      }),
    })
    const yolo = mux.run({ agent, prompt: 'x', approvalMode: 'yolo', gracePeriodMs: 100 })
    const seen: AgentEvent[] = []
    yolo.on('debug', (event) => void seen.push(event))
    await until('told', () => seen.length > 0)
    expect(filterEvents(seen, 'debug')[0]?.message).toContain('did not reach the agent')
    await expect(yolo.approve()).rejects.toBeInstanceOf(CapabilityError)
    expect(yolo.interaction.pending).toHaveLength(1)
    await yolo.abort()
    expect(yolo.interaction.pending).toHaveLength(0)
  })
})
