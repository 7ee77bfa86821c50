import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadAdapterFor } from '../src/adapters/index.ts'
import type { RunResult } from '../src/contract/run-handle.ts'
import type { RunOptions } from '../src/contract/run-options.ts'
import { quoteWord } from '../src/core/command-line.ts'
import { createClientIn } from '../src/mux/client.ts'
import { type Recording, readRecording, replayRecording } from '../src/testing/index.ts'
import { bareAdapter } from './support/adapters.ts'
import { collect, temporaryDirectory, testClient } from './support/client.ts'
import { fixtureRecordings } from './support/fixture-recordings.ts'

// Retries of real processes: `src/adapters/retried-recordings.test.ts` has every prefix of every recording, without one.

const retryPolicy = { maxRetries: 1, baseDelayMs: 1, maxDelayMs: 1, jitterFactor: 0 }

/** A program that fails in the middle the first time, and does well the second time. Says how it was called. */
function failsOnce(command: string, first: Buffer, { stdout, stderr, exitCode }: Recording): string {
  const home = temporaryDirectory()
  mkdirSync(join(home, 'bin'))
  const files = { first, stdout, stderr }
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(home, name), bytes)
  const path = join(home, 'bin', command)
  const at = (name: string) => quoteWord(join(home, name))
  const script = [
    '[ "$1" = --version ] && echo 99.0.0 && exit',
    `if [ ! -e ${at('tried')} ]; then : > ${at('tried')}; cat ${at('first')}; echo 'Error: 429 slow down' >&2; exit 1; fi`,
    `cat ${at('stderr')} >&2; cat ${at('stdout')}; exit ${exitCode}`,
  ]
  writeFileSync(path, `#!/bin/sh\n${script.join('\n')}\n`)
  chmodSync(path, 0o755)
  return home
}

/** Of each agent the longest recording of a run that went well. */
const RECORDINGS = [...new Set(fixtureRecordings.map(({ agent }) => agent))]

async function bestRecording(agent: string): Promise<Recording | undefined> {
  const adapter = await loadAdapterFor(agent, {})
  const good = fixtureRecordings
    .filter((one) => one.agent === agent)
    .map(({ directory }) => readRecording(directory))
    .filter(
      ({ stdout, exitCode, options }) => exitCode === 0 && Object.keys(options).length === 0 && stdout[0] === 0x7b,
    )
    .filter((one) => !/^\{"(?:t|ms|dir|jsonrpc)":/.test(one.stdout.toString('utf8', 0, 20)))
    .filter((one) => replayRecording(adapter, one).result.outcome.kind === 'completed')
  return good.sort((one, other) => other.stdout.length - one.stdout.length)[0]
}

function answerOf({ text, turnCount, structuredOutput, outcome, error }: RunResult) {
  return { text, turnCount, structuredOutput, outcome, error }
}

describe.each(RECORDINGS)('%s', (agent) => {
  test('an attempt that broke off leaves nothing in the answer of the next one', async ({ skip }) => {
    const recording = await bestRecording(agent)
    if (!recording) return skip('it has no recording of one process that only prints')
    const adapter = await loadAdapterFor(agent, {})
    const half = recording.stdout.subarray(0, recording.stdout.length >> 1)
    const home = failsOnce(adapter.cliCommand, half, recording)
    const env = { HOME: home, PATH: `${join(home, 'bin')}:${process.env.PATH}` }
    const client = createClientIn(env, { configDir: join(home, 'config'), projectConfigDir: join(home, 'project') })
    const run = (more: Partial<RunOptions>) =>
      collect(client.run({ agent, prompt: 'x', cwd: home, nonInteractive: true, ...more }))
    const retried = await run({ retryPolicy })
    const alone = await run({})
    expect(existsSync(join(home, 'tried')), 'the program has run').toBe(true)
    if (alone.result.outcome.kind !== 'completed') return skip('its runs are a dialogue, which no recording can be')
    expect(retried.events.filter(({ type }) => type === 'attempt_withdrawn')).not.toEqual([])
    expect(answerOf(retried.result)).toEqual(answerOf(alone.result))
  })
})

/** A bare agent whose first attempt prints this before it says that it is limited. */
function limitedOnce(before: object[], after: object[]) {
  const print = (events: object[]) =>
    events.map((one) => `console.log(${JSON.stringify(JSON.stringify(one))})`).join(';')
  const tried = join(temporaryDirectory(), 'tried')
  const limit = { type: 'rate_limit_error', message: 'slow down', retryAfterMs: 1 }
  const script = `const fs = require('fs'), again = fs.existsSync(${JSON.stringify(tried)});
    if (again) { ${print(after)} } else { fs.writeFileSync(${JSON.stringify(tried)}, ''); ${print([...before, limit])} }`
  return bareAdapter('fake', { args: ['-e', script], closeStdinAfterSpawn: true })
}

const outputSchema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] }

test.each([
  ['said half of it', { type: 'text_delta', delta: '{"a":' }],
  ['asked something', { type: 'input_required', interactionId: 'i', question: 'Which?', source: 'agent' }],
])('the answer to a schema is looked at again after an attempt that %s', async (_name, before) => {
  const asked = { agent: 'fake', prompt: 'x', outputSchema, retryPolicy }
  const good = testClient([limitedOnce([before], [{ type: 'text_delta', delta: '{"a":1}' }])])
  expect((await collect(good.run(asked))).result).toMatchObject({ structuredOutput: { a: 1 } })
  const bad = testClient([limitedOnce([before], [{ type: 'text_delta', delta: '{"a":"no"}' }])])
  expect((await collect(bad.run(asked))).result.outcome.kind).toBe('output_invalid')
})

test('an id that was chosen for a new session is not used a second time', async () => {
  const newSessionId = '00000000-0000-4000-8000-000000000001'
  const ids: (string | undefined)[] = []
  const begun = { type: 'session_start', sessionId: newSessionId }
  const adapter = limitedOnce([begun], [{ type: 'text_delta', delta: 'ok' }])
  const { buildSpawnArgs } = adapter
  adapter.buildSpawnArgs = (options) => {
    ids.push(options.newSessionId)
    return buildSpawnArgs(options)
  }
  const { result } = await collect(testClient([adapter]).run({ agent: 'fake', prompt: 'x', newSessionId, retryPolicy }))
  expect(result).toMatchObject({ text: 'ok', outcome: { kind: 'completed' } })
  expect(ids).toEqual([newSessionId, undefined])
})
