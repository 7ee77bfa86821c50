import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { collect, temporaryDirectory } from '../../test/support/client.ts'
import { MemoryTap } from '../../test/support/memory-tap.ts'
import { talkingAdapter } from '../../test/support/talking.ts'
import type { AgentEvent } from '../contract/events.ts'
import type { RunHandle } from '../contract/run-handle.ts'
import type { RunOptions } from '../contract/run-options.ts'
import { createClientIn } from '../mux/client.ts'
import { Rederivation } from './rederive.ts'

const adapter = talkingAdapter()

function tappedRun(options: Partial<RunOptions> & { prompt: string }) {
  const directory = temporaryDirectory()
  const tap = new MemoryTap()
  let resolved: RunOptions = { prompt: '' }
  const mux = createClientIn(process.env, { configDir: directory, projectConfigDir: directory }, (run) => {
    resolved = run.options
    return tap
  })
  mux.adapters.register(adapter)
  const handle = mux.run({ agent: 'talks', ...options })
  const again = (howMany = tap.batches.length, judgesAgain = false) => {
    const events: AgentEvent[] = []
    const { onApprovalRequest, ...asData } = resolved
    const rederivation = new Rederivation({
      ...{ runId: handle.runId, adapter, options: asData, judgesAgain },
      onEvent: (event) => events.push(event),
    })
    for (const { inputs, nested } of tap.kept(howMany)) rederivation.take(inputs, nested)
    return { events, rederivation }
  }
  return { handle, tap, again }
}

function finishLost(rederivation: Rederivation): void {
  const time = Date.now()
  rederivation.take([{ n: 1e6, time, input: rederivation.lostEnding('the runner is gone', time) }], [])
}

async function afterTurn(handle: RunHandle): Promise<void> {
  await new Promise<void>((resolve) => handle.once('turn_end', () => resolve()))
}

const SCENARIOS: Record<
  string,
  { options: Partial<RunOptions> & { prompt: string }; act?: (handle: RunHandle) => Promise<void> }
> = {
  'a turn': { options: { prompt: 'one tool two message usage:5 cost:0.1' } },
  'a turn that fails': { options: { prompt: 'one fail:auth' } },
  'a failure that the run survives, reported where it happened': {
    options: { prompt: 'one tool fail:server', keepOpen: true },
    act: async (handle) => {
      await afterTurn(handle)
      await handle.send('two fail:rate_limit')
      await afterTurn(handle)
      await handle.close()
    },
  },
  'prompts that wait for their moment': {
    options: { prompt: 'wait:50 tool one message two', keepOpen: true },
    act: async (handle) => {
      await handle.queue('queued', { when: 'next-turn' })
      await handle.steer('steered', { when: 'after-tool' })
      await afterTurn(handle)
      await afterTurn(handle)
      await handle.close()
    },
  },
  'an unknown cost, reported at the end of the turn': { options: { prompt: 'one', maxCostUsd: 1 } },
  'a budget': { options: { prompt: 'one cost:2 two wait:50 three', maxCostUsd: 1 } },
  'too many requests': { options: { prompt: 'tool tool hang', maxTurns: 1 } },
  'too many requests in a run that stays open': {
    options: { prompt: 'tool tool hang', maxTurns: 1, keepOpen: true },
    act: async (handle) => {
      await afterTurn(handle)
      await handle.send('two')
      await afterTurn(handle)
      await handle.close()
    },
  },
  'an approval by mode': { options: { prompt: 'approve after', approvalMode: 'yolo' } },
  'a denial by mode': { options: { prompt: 'approve after', approvalMode: 'deny' } },
  'an approval by a person': {
    options: { prompt: 'approve after' },
    act: async (handle) => {
      handle.interaction.onPending(() => void handle.approve('go on'))
    },
  },
  'an answer in the very moment of the question': {
    options: { prompt: 'ask after' },
    act: async (handle) => {
      handle.interaction.onPending(({ id }) => handle.interaction.respond(id, { type: 'text', text: 'this' }))
    },
  },
  'an interrupt, and another turn': {
    options: { prompt: 'one hang', keepOpen: true },
    act: async (handle) => {
      await new Promise<void>((resolve) => handle.once('text_delta', () => resolve()))
      await handle.interrupt()
      await afterTurn(handle)
      await handle.send('two')
      await afterTurn(handle)
      await handle.close()
    },
  },
  'an abort': {
    options: { prompt: 'one stall' },
    act: async (handle) => {
      await new Promise<void>((resolve) => handle.once('text_delta', () => resolve()))
      await handle.abort()
    },
  },
  'a timeout': { options: { prompt: 'one stall', timeout: 400 } },
  'no sign of life': { options: { prompt: 'one stall', inactivityTimeout: 300 } },
  'a crash': { options: { prompt: 'one crash:3' } },
  'pause and resume': {
    options: { prompt: 'one wait:100 two' },
    act: async (handle) => {
      await new Promise<void>((resolve) => handle.once('text_delta', () => resolve()))
      await handle.pause()
      await handle.resume()
    },
  },
}

describe('events made again from the inputs of a run', () => {
  test.each(Object.entries(SCENARIOS))('%s', async (_name, { options, act }) => {
    const { handle, again } = tappedRun({ gracePeriodMs: 500, ...options })
    const acting = act?.(handle)
    const { events, result } = await collect(handle)
    await acting
    for (const judgesAgain of [false, true]) {
      const replayed = again(undefined, judgesAgain)
      expect(replayed.events).toEqual(events)
      expect(replayed.rederivation.result()).toEqual(JSON.parse(JSON.stringify(result)))
    }
  })

  test('another try after a failure', async () => {
    const file = join(temporaryDirectory(), 'count')
    writeFileSync(file, '0')
    const retryPolicy = { maxRetries: 2, baseDelayMs: 10, maxDelayMs: 20 }
    const { handle, again } = tappedRun({ prompt: `one flaky:${encodeURIComponent(file)},1,crash two`, retryPolicy })
    const { events, result } = await collect(handle)
    expect(events.map((event) => event.type)).toContain('retry')
    for (const judgesAgain of [false, true]) {
      const replayed = again(undefined, judgesAgain)
      expect(replayed.events).toEqual(events)
      expect(replayed.rederivation.result()?.outcome).toEqual(result.outcome)
    }
  })

  test('a part of the inputs gives the first events, and the end is added', async () => {
    const { handle, tap, again } = tappedRun({ prompt: 'one tool two wait:10 three message' })
    const { events } = await collect(handle)
    for (let howMany = 1; howMany < tap.batches.length - 2; howMany++) {
      const part = again(howMany)
      expect(part.events).toEqual(events.slice(0, part.events.length))
      const before = part.events.length
      finishLost(part.rederivation)
      expect(part.events.slice(0, before)).toEqual(events.slice(0, before))
      expect(part.events.at(-1)?.type).toBe('session_end')
      expect(part.events.filter((event) => event.type === 'crash')).toHaveLength(1)
      expect(part.rederivation.result()?.outcome).toEqual({ kind: 'crashed', evidence: 'the runner is gone' })
    }
  })

  test('when only the end itself is missing, it is judged by how the process ended', async () => {
    const { handle, tap, again } = tappedRun({ prompt: 'one' })
    const { events } = await collect(handle)
    const part = again(tap.batches.length - 1)
    finishLost(part.rederivation)
    expect(part.events.map((event) => event.type)).toEqual(events.map((event) => event.type))
    expect(part.rederivation.result()?.outcome.kind).toBe('completed')
  })
})

test('an input that cannot be kept is not interpreted, and the run ends and says why', async () => {
  const directory = temporaryDirectory()
  const seen: string[] = []
  const mux = createClientIn(process.env, { configDir: directory, projectConfigDir: directory }, () => ({
    inputs(inputs) {
      for (const input of inputs) {
        if (input.kind === 'line' && input.line.includes('two')) throw new Error('no space left on device')
        seen.push(input.kind)
      }
      return Date.now()
    },
    settled() {},
  }))
  mux.adapters.register(adapter)
  const { events, result } = await collect(mux.run({ agent: 'talks', prompt: 'one wait:50 two wait:50 three stall' }))
  const deltas = events.flatMap((event) => (event.type === 'text_delta' ? [event.delta] : []))
  expect(deltas).toEqual(['one'])
  expect(seen.at(-1)).toBe('finish')
  expect(result.outcome).toMatchObject({ kind: 'failed', code: 'STORAGE_ERROR' })
  expect(result.outcome.evidence).toContain('no space left on device')
})
