import type { Dialogue } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { oneWayStream } from '../../core/one-way.ts'
import { acpDialogue } from '../acp/dialogue.ts'
import { eitherWire } from '../acp/either-wire.ts'
import { usesStream } from './args.ts'
import { profile } from './profile.ts'
import { createState, streamRecord } from './stream.ts'

/** Speaks both wires of goose: ACP, and the records of a one-shot run. */
export function createDialogue(options: RunOptions): Dialogue {
  const state = createState(options)
  const { systemPrompt: _system, ...told } = options
  return eitherWire({
    usesAcp: !usesStream(options),
    acp: acpDialogue('goose', profile)(options),
    stream: oneWayStream({
      options: told,
      displayName: 'goose',
      guidance: profile.guidance,
      exitWords: profile.exitWords,
      record: (record) => streamRecord(state, record),
      isSettled: () => state.settled,
    }),
  })
}
