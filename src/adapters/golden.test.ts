import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../contract/events.ts'
import type { RunResult } from '../contract/run-handle.ts'
import { readRecording, replayRecording } from '../testing/index.ts'
import { loadAdapterFor } from './index.ts'

// Real output of the real CLIs, in `<agent>/fixtures/<cli version>/<scenario>/`, against the events that we make of it.
// `UPDATE_GOLDEN=1 npx vitest run golden` rewrites `events.jsonl`: read the diff before you commit it.
const here = import.meta.dirname
const directories = (path: string) =>
  existsSync(path) ? readdirSync(path).filter((name) => statSync(join(path, name)).isDirectory()) : []

for (const agent of directories(here)) {
  for (const version of directories(join(here, agent, 'fixtures'))) {
    const scenarios = directories(join(here, agent, 'fixtures', version)).filter((scenario) =>
      existsSync(join(here, agent, 'fixtures', version, scenario, 'meta.json')),
    )
    if (scenarios.length === 0) continue
    describe(`${agent} ${version}`, () => {
      for (const scenario of scenarios) {
        test(scenario, async () => {
          const directory = join(here, agent, 'fixtures', version, scenario)
          const adapter = await loadAdapterFor(agent, {})
          const { events, result } = replayRecording(adapter, readRecording(directory))
          const text = render(events, result)
          const golden = join(directory, 'events.jsonl')
          if (process.env.UPDATE_GOLDEN) writeFileSync(golden, text)
          expect(text).toBe(readFileSync(golden, 'utf8'))
        })
      }
    })
  }
}

/** Without what is the same in every line. */
function render(events: AgentEvent[], result: RunResult): string {
  const plain = (record: object) =>
    JSON.stringify(record, (key, value) =>
      ['runId', 'agent', 'timestamp', 'accumulated', 'inputAccumulated', 'durationMs'].includes(key)
        ? undefined
        : value,
    )
  const { outcome, exitReason, error, text, sessionId, model, cost, tokenUsage, turnCount, unrecognized } = result
  const verdict = {
    outcome,
    exitReason,
    code: error?.code,
    text,
    sessionId,
    model,
    cost,
    tokenUsage,
    turnCount,
    unrecognized,
  }
  return `${[...events.map(plain), plain({ type: 'run_result', ...verdict })].join('\n')}\n`
}

test.each([
  ['the signal after the turn', 1, { signal: 'SIGTERM', exitCode: null }, 'completed'],
  ['143 after the turn', 1, { exitCode: 143 }, 'completed'],
  ['137 after the turn', 1, { exitCode: 137 }, 'crashed'],
  ['the signal in the turn', 0.5, { signal: 'SIGTERM', exitCode: null }, 'cancelled'],
] as const)('who stops an agent that has done its turn does not take the turn back: %s', async (_, part, end, kind) => {
  const recording = readRecording(join(here, 'claude/fixtures/2.1.325/a-text'))
  const lines = recording.stdout.toString('utf8').trimEnd().split('\n')
  const stdout = Buffer.from(`${lines.slice(0, Math.ceil(lines.length * part)).join('\n')}\n`)
  const adapter = await loadAdapterFor('claude', {})
  expect(replayRecording(adapter, { ...recording, stdout, ...end }).result.outcome.kind).toBe(kind)
})
