import { describe, expect, test } from 'vitest'
import type { AgentEventDraft } from '../contract/event-drafts.ts'
import type { AgentEvent } from '../contract/events.ts'
import { RunEnding } from './run-ending.ts'
import { Translator } from './translator.ts'

const RETRY = { attempt: 1, maxAttempts: 3, reason: 'overloaded', delayMs: 0 }
const text = (delta: string): AgentEventDraft => ({ type: 'text_delta', delta })

function translate() {
  const events: AgentEvent[] = []
  const ignore = () => {}
  const translator = new Translator(
    { runId: 'r', options: { prompt: '', agent: 'a', retryPolicy: {} }, now: () => 0, ending: new RunEnding() },
    {
      ...{ onWrite: ignore, onCloseStdin: ignore, onFailure: ignore, onHost: ignore, onHttp: ignore },
      ...{ onEndProcess: ignore, onMayBeOver: ignore, onEvent: (event: AgentEvent) => events.push(event) },
    },
  )
  const say = (...drafts: AgentEventDraft[]) => {
    for (const draft of drafts) translator.emit(draft)
  }
  const types = () => events.map(({ type }) => type)
  return { translator, events, say, types, totals: translator.normaliser.totals }
}

describe('a run that is tried again', () => {
  test('everything open is closed, named and taken back', () => {
    const { translator, events, say, types, totals } = translate()
    say(text('One.'), { type: 'message_stop', text: '' })
    say({ type: 'tool_call_ready', toolCallId: 't', toolName: 'Bash', input: {} }, text('Two'))
    translator.retry(RETRY)
    expect(types().slice(-4)).toEqual(['message_stop', 'tool_error', 'attempt_withdrawn', 'retry'])
    expect(events.at(-2)).toMatchObject({ attempt: 1, scope: 'run', text: 'One.Two', toolCallIds: ['t'] })
    expect(totals.text).toBe('')
    say(text('Good.'), { type: 'turn_end' })
    translator.finish({ terminal: null, outcome: { kind: 'completed' } })
    expect(totals).toMatchObject({ text: 'Good.', turnCount: 1 })
    expect(events.filter(({ type }) => type === 'turn_start')).toHaveLength(1)
  })

  test('a turn that has ended is counted again, with the same index', () => {
    const { translator, events, say, totals } = translate()
    say(text('Bad.'), { type: 'turn_end' })
    translator.structuredOutput = { bad: true }
    translator.retry(RETRY)
    expect(translator.structuredOutput).toBeUndefined()
    say(text('Good.'), { type: 'turn_end' })
    translator.finish({ terminal: null, outcome: { kind: 'completed' } })
    expect(totals).toMatchObject({ text: 'Good.', turnCount: 1 })
    expect(events.flatMap((event) => (event.type === 'turn_start' ? [event.turnIndex] : []))).toEqual([0, 0])
  })

  test('tokens and cost of all attempts count', () => {
    const { translator, say, totals } = translate()
    const spend = (totalUsd: number): AgentEventDraft[] => [
      { type: 'token_usage', inputTokens: 10, outputTokens: 1 },
      { type: 'cost', cost: { totalUsd, inputTokens: 10, outputTokens: 1 } },
    ]
    say(...spend(0.1), ...spend(0.2))
    translator.retry(RETRY)
    say(...spend(0.5))
    expect(totals.usage).toMatchObject({ inputTokens: 30, outputTokens: 3 })
    expect(totals.cost).toMatchObject({ totalUsd: 0.7, inputTokens: 20 })
  })
})

describe('an agent that asks its model again', () => {
  const retry: AgentEventDraft = { type: 'retry', ...RETRY }

  test('what was begun is withdrawn, what was finished stays', () => {
    const { events, say, types, totals } = translate()
    say(text('First.'), { type: 'message_stop', text: '' }, text('Hel'), retry)
    expect(types().slice(-3)).toEqual(['message_stop', 'attempt_withdrawn', 'retry'])
    expect(events.at(-2)).toMatchObject({ scope: 'response', text: 'Hel', toolCallIds: [] })
    expect(totals.text).toBe('First.')
    say(text('Hello.'), { type: 'message_stop', text: 'HelHello.' })
    expect(totals.text).toBe('Hello.')
  })

  test('a call that runs is left alone, one that is still being written is not', () => {
    const { events, say } = translate()
    say({ type: 'tool_call_ready', toolCallId: 'runs', toolName: 'Task', input: {} })
    say({ type: 'tool_call_start', toolCallId: 'half', toolName: 'Bash' }, retry)
    expect(events.filter(({ type }) => type === 'tool_error')).toMatchObject([{ toolCallId: 'half' }])
    expect(events.at(-2)).toMatchObject({ type: 'attempt_withdrawn', toolCallIds: ['half'] })
  })

  test('nothing begun, nothing withdrawn', () => {
    const { say, types } = translate()
    say(retry, { type: 'attempt_withdrawn', attempt: 1, reason: '', scope: 'response', text: '', toolCallIds: [] })
    expect(types()).not.toContain('attempt_withdrawn')
  })

  test('a notice on stderr withdraws only when the model begins again', () => {
    for (const again of [true, false]) {
      const { translator, say, types, totals } = translate()
      say(text('Hel'))
      translator.emit(retry, 'aside')
      if (again) say(text('Hello.'))
      say({ type: 'turn_end' })
      expect(types().includes('attempt_withdrawn')).toBe(again)
      expect(totals.text).toBe(again ? 'Hello.' : 'Hel')
    }
  })

  test('one that is read late withdraws nothing: the model is answering by then', () => {
    const { translator, say, types, totals } = translate()
    say(text('Hel'))
    translator.emit(retry, 'late')
    say(text('lo.'), { type: 'turn_end' })
    expect(types()).not.toContain('attempt_withdrawn')
    expect(totals.text).toBe('Hello.')
  })
})

describe('the answer that the agent has kept', () => {
  const ending = (answer: string, ...said: AgentEventDraft[]) => {
    const translated = translate()
    translated.say(...said)
    translated.translator.apply([{ answer }, { emit: { type: 'turn_end' } }])
    return translated
  }

  test('what was streamed before it is withdrawn', () => {
    const { events, types, totals } = ending('Hello.', text('Hel'), text('Hello.'))
    expect(types().slice(-6)).toEqual([
      ...['message_stop', 'attempt_withdrawn', 'message_start', 'text_delta', 'message_stop', 'turn_end'],
    ])
    expect(events.find(({ type }) => type === 'attempt_withdrawn')).toMatchObject({ text: 'HelHello.' })
    expect(totals.text).toBe('Hello.')
  })

  test('also a message that a thought has ended', () => {
    const { events, totals } = ending('Hello.', text('Hel'), { type: 'thinking_delta', delta: '…' }, text('Hello.'))
    expect(events.find(({ type }) => type === 'attempt_withdrawn')).toMatchObject({ text: 'HelHello.' })
    expect(totals.text).toBe('Hello.')
  })

  test.each(['Hello.', '', 'Something else.'])('nothing is withdrawn for %j', (answer) => {
    const { types, totals } = ending(answer, text('Hello.'))
    expect(types()).not.toContain('attempt_withdrawn')
    expect(totals.text).toBe('Hello.')
  })

  test('what came before a tool is another response', () => {
    const call = { toolCallId: 't', toolName: 'Bash' }
    const tool: AgentEventDraft[] = [
      { type: 'tool_call_ready', ...call, input: {} },
      { type: 'tool_result', ...call, output: '' },
    ]
    expect(ending('Done.', text('I look.'), ...tool, text('Done.')).types()).not.toContain('attempt_withdrawn')
  })
})
