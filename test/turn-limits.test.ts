import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { filterEvents, isTerminalEvent } from '../src/contract/event-guards.ts'
import type { EventOfType } from '../src/contract/events.ts'
import { model } from './support/adapters.ts'
import { collect } from './support/client.ts'
import { talk, talkingClient } from './support/talking.ts'

const agent = 'talks'

const CITY = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }

describe('an answer that has to fit a schema', () => {
  const right = '{"city":"Ulm"}'

  test('is checked, and typed by a Standard Schema', async () => {
    const schema = z.object({ city: z.string().transform((name) => name.length) })
    const { outcome, structuredOutput } = await answering([said(right)]).run({
      agent,
      prompt: 'x',
      outputSchema: schema,
    })
    expect(outcome.kind).toBe('completed')
    // The type is that of the schema: this compiles.
    const city: number | undefined = structuredOutput?.city
    expect(city).toBe(3)
  })

  test('is asked for once more when it is wrong', async () => {
    const answers = ['{"city":4}', right].map(said)
    const { events, result } = await collect(answering(answers).run({ agent, prompt: 'x', outputSchema: CITY }))
    expect(result).toMatchObject({ outcome: { kind: 'completed' }, structuredOutput: { city: 'Ulm' }, turnCount: 2 })
    expect(events.find(isTerminalEvent)).toBeUndefined()
  })

  test.each([['words'], ['{"city":4}'], ['[]']])('stays wrong: %s', async (wrong) => {
    const { result } = await collect(
      answering([said(wrong), said(wrong)]).run({ agent, prompt: 'x', outputSchema: CITY }),
    )
    expect(result).toMatchObject({
      outcome: { kind: 'output_invalid' },
      error: { code: 'OUTPUT_INVALID' },
      turnCount: 2,
    })
    expect(result.structuredOutput).toBeUndefined()
  })

  test('leaves the outcome of a turn that failed anyway', async () => {
    const { outcome } = await answering(['fail:auth']).run({ agent, prompt: 'x', outputSchema: CITY })
    expect(outcome.kind).toBe('auth_required')
  })

  test('a schema that does not tell its JSON schema is refused, unless it comes with one', async () => {
    const standard = { version: 1 as const, vendor: 'own', validate: (value: unknown) => ({ value }) }
    const schema = { '~standard': standard }
    expect(() => talkingClient().run({ agent, prompt: right, outputSchema: schema })).toThrow('JSON schema')
    const pair = { schema, jsonSchema: CITY }
    expect((await answering([said(right)]).run({ agent, prompt: 'x', outputSchema: pair })).structuredOutput).toEqual({
      city: 'Ulm',
    })
  })
})

const said = (text: string) => `encoded:${encodeURIComponent(text)}`

/** Answers the turns with these, one after another. */
function answering(answers: readonly string[]) {
  const left = [...answers]
  return talkingClient({
    createDialogue(options) {
      const next = () => left.shift() ?? 'nothing'
      const dialogue = talk({ ...options, prompt: next() })
      return {
        ...dialogue,
        start: () => dialogue.start(options),
        onCommand: (command) =>
          dialogue.onCommand(command.type === 'user_turn' ? { ...command, text: next() } : command),
      }
    },
  })
}

describe('limits', () => {
  test('maxTurns ends the run at the request too many', async () => {
    const { events, result } = await collect(talkingClient().run({ agent, prompt: 'tool tool tool hang', maxTurns: 2 }))
    expect(result).toMatchObject({ exitReason: 'turn_limit', outcome: { kind: 'turn_limit' } })
    expect(events.find(isTerminalEvent)).toMatchObject({ type: 'turn_limit', maxTurns: 2 })
  })

  test('as many requests as allowed are no fault, in each turn anew', async () => {
    const handle = talkingClient().run({ agent, prompt: 'tool done', maxTurns: 2 })
    handle.once('turn_end', () => void handle.send('tool done'))
    expect(await handle).toMatchObject({ outcome: { kind: 'completed' }, turnCount: 2 })
  })

  test('a run that stays open outlives the turn that made too many requests', async () => {
    const handle = talkingClient().run({ agent, prompt: 'tool tool hang', maxTurns: 1, keepOpen: true })
    const ended = new Promise<EventOfType<'turn_end'>>((resolve) => handle.once('turn_end', resolve))
    expect((await ended).outcome).toMatchObject({ kind: 'turn_limit' })
    const again = new Promise<EventOfType<'turn_end'>>((resolve) => handle.once('turn_end', resolve))
    await handle.send('fine')
    expect((await again).outcome).toBeUndefined()
    await handle.close()
    expect((await handle).outcome.kind).toBe('completed')
  })

  test('maxCostUsd ends the run once it has cost more', async () => {
    const { events, result } = await collect(
      talkingClient().run({ agent, prompt: 'cost:0.5 cost:1.5 hang', maxCostUsd: 1, gracePeriodMs: 100 }),
    )
    expect(result).toMatchObject({
      outcome: { kind: 'budget_exceeded', evidence: '$1.5000 spent of a budget of $1' },
      error: { code: 'BUDGET_EXCEEDED' },
      cost: { totalUsd: 1.5 },
    })
    expect(events.find(isTerminalEvent)).toMatchObject({ type: 'error', code: 'BUDGET_EXCEEDED' })
  })

  test('maxCostUsd holds by the price table where the agent tells tokens only', async () => {
    const priced = model(agent, 'm1', { inputPricePerMillion: 10, outputPricePerMillion: 10 })
    const mux = talkingClient({ models: [priced] })
    const result = await mux.run({ agent, prompt: 'usage:200000 hang', maxCostUsd: 1, gracePeriodMs: 100 })
    expect(result).toMatchObject({ outcome: { kind: 'budget_exceeded' }, cost: { totalUsd: 2, source: 'price-table' } })
  })

  test('an unknown cost is said to be unknown, once', async () => {
    const handle = talkingClient().run({ agent, prompt: 'one', maxCostUsd: 1 })
    handle.once('turn_end', () => void handle.send('two'))
    const { events, result } = await collect(handle)
    expect(filterEvents(events, 'debug').map((event) => event.message)).toEqual([
      'The agent has reported no usage, so the budget of $1 was not kept',
    ])
    expect(events.at(-1)?.type).toBe('session_end')
    expect(result).toMatchObject({ cost: null, outcome: { kind: 'completed' } })
  })
})
