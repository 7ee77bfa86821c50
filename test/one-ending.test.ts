import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadAdapterFor } from '../src/adapters/index.ts'
import type { AgentAdapter } from '../src/contract/adapter.ts'
import type { AgentEvent } from '../src/contract/events.ts'
import type { RunResult } from '../src/contract/run-handle.ts'
import type { RunOptions } from '../src/contract/run-options.ts'
import { Rederivation } from '../src/engine/rederive.ts'
import { createClientIn } from '../src/mux/client.ts'
import { type Recording, readRecording, replayRecording } from '../src/testing/index.ts'
import { collect, temporaryDirectory } from './support/client.ts'
import { fixtureRecordings } from './support/fixture-recordings.ts'
import { MemoryTap } from './support/memory-tap.ts'
import { times } from './support/times.ts'

// The golden recordings prove a rule only if live runs use it: what a process printed once gives the same events and
// the same end in a live run, in the recovery of its inputs, and in a replay.

/** Where the two streams were printed in one order only, and nobody wrote to the agent. */
function isOneWay({ stdout, stderr, signal }: Recording): boolean {
  return (
    stdout.length > 0 &&
    stderr.length === 0 &&
    signal === null &&
    !/^\{"(?:t|ms|dir|jsonrpc)":/.test(stdout.toString('utf8', 0, 20))
  )
}

/** What a live run does not ask for: several turns in one recording, or another form of output. */
const OTHER_CLIENTS = new Set([
  ...['omp/fixtures/18.2.3/rpc', 'omp/fixtures/18.2.3/rpc-question', 'opencode-http/fixtures/1.18.33/serve'],
  ...['continue/fixtures/1.5.47/text-json', 'continue/fixtures/1.5.47/text-plain'],
  'grok/fixtures/1.0.41/tool-streamingmessagesjson',
])

const recordings = fixtureRecordings
  .filter(({ name }) => !OTHER_CLIENTS.has(name))
  .map((one) => ({ ...one, recording: readRecording(one.directory) }))
  .filter(({ recording }) => isOneWay(recording))
const step = times(8, 1)

/** The agent's own dialogue around a process that prints the recording. */
function printing(adapter: AgentAdapter, { stdout, exitCode }: Recording): AgentAdapter {
  const file = join(temporaryDirectory(), 'stdout')
  writeFileSync(file, stdout)
  const buildSpawnArgs: AgentAdapter['buildSpawnArgs'] = () => ({
    ...{ command: '/bin/sh', args: ['-c', 'cat "$1"; exit "$2"', 'sh', file, String(exitCode ?? 0)] },
    ...{ env: {}, cwd: temporaryDirectory(), usePty: false, closeStdinAfterSpawn: true },
  })
  return new Proxy(adapter, {
    get: (target, name) => (name === 'buildSpawnArgs' ? buildSpawnArgs : Reflect.get(target, name, target)),
  })
}

/** Without clock, ids of ours and prices, which a recording does not know. */
function shape(events: readonly AgentEvent[], result: RunResult) {
  const { runId, outcome, exitReason, error, text, turnCount } = result
  const told = events
    .filter(({ type }) => type !== 'debug' && type !== 'cost')
    .map((event) =>
      JSON.stringify(event, (key, value) =>
        ['runId', 'timestamp', 'durationMs', 'cost'].includes(key) ? undefined : value === runId ? '' : value,
      ),
    )
  // Of an agent that names no session, a run of ours is one by its own id, which a recording does not know.
  const sessionId = result.sessionId === runId ? null : result.sessionId
  return { told, outcome, exitReason, code: error?.code, text, turnCount, sessionId }
}

test.each(recordings.filter((_, index) => index % step === 0))('$name', async ({ agent, recording }) => {
  const adapter = printing(await loadAdapterFor(agent, {}), recording)
  const directory = temporaryDirectory()
  const tap = new MemoryTap()
  let resolved: RunOptions = { prompt: '' }
  const client = createClientIn(
    { ...process.env, HOME: directory },
    { configDir: directory, projectConfigDir: directory },
    (run) => {
      resolved = run.options
      return tap
    },
  )
  client.adapters.register(adapter)
  const handle = client.run({ agent, prompt: 'x', nonInteractive: true, ...recording.options, cwd: directory })
  const live = await collect(handle)
  // It has asked something that only a real agent answers.
  if (tap.written > 0) return

  const recovered: AgentEvent[] = []
  const rederivation = new Rederivation({
    ...{ runId: handle.runId, adapter, options: resolved, judgesAgain: true },
    onEvent: (event) => recovered.push(event),
  })
  for (const { inputs, nested } of tap.kept()) rederivation.take(inputs, nested)
  const result = rederivation.result()
  expect(result).not.toBeNull()
  const replayed = replayRecording(adapter, { ...recording, options: resolved })

  expect(shape(recovered, result ?? live.result)).toEqual(shape(live.events, live.result))
  expect(shape(replayed.events, replayed.result)).toEqual(shape(live.events, live.result))
})
