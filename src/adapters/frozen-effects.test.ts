import { expect, test } from 'vitest'
import { fixtureRecordings } from '../../test/support/fixture-recordings.ts'
import type { AgentAdapter } from '../contract/adapter.ts'
import type { Dialogue, Effect } from '../contract/dialogue.ts'
import { readRecording, replayRecording } from '../testing/index.ts'
import { loadAdapterFor } from './index.ts'

function freeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    Object.values(value).forEach(freeze)
  }
  return value
}

/** A dialogue all of whose effects are constants. */
function frozen(dialogue: Dialogue): Dialogue {
  const given = (effects: Effect[]): Effect[] => freeze([...effects])
  return {
    start: (options) => given(dialogue.start(options)),
    onLine: (line, source) => given(dialogue.onLine(line, source)),
    onWritten: (line) => given(dialogue.onWritten?.(line) ?? []),
    onCommand: (command) => dialogue.onCommand(command),
    onExit: (exit) => given(dialogue.onExit(exit)),
  }
}

test.each(fixtureRecordings)('nobody changes what an adapter has said: $name', async ({ agent, directory }) => {
  const adapter = await loadAdapterFor(agent, {})
  const recording = readRecording(directory)
  const constant: AgentAdapter = Object.create(adapter, {
    createDialogue: {
      value: (options: Parameters<NonNullable<AgentAdapter['createDialogue']>>[0]) => {
        const dialogue = adapter.createDialogue?.(options)
        return dialogue === undefined ? undefined : frozen(dialogue)
      },
    },
  })
  expect(replayRecording(constant, recording)).toEqual(replayRecording(adapter, recording))
})
