import type { Dialogue } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { oneWayStream } from '../../core/one-way.ts'
import { acpDialogue } from '../acp/dialogue.ts'
import { eitherWire } from '../acp/either-wire.ts'
import { profile } from './profile.ts'
import { createState, streamRecord } from './stream.ts'

/** Speaks both wires of the Cursor CLI: ACP, and the records of a one-shot run. */
export function createDialogue(options: RunOptions): Dialogue {
  const state = createState(options)
  return eitherWire({
    usesAcp: !options.nonInteractive,
    acp: acpDialogue('cursor', profile)(options),
    stream: oneWayStream({
      options,
      displayName: 'Cursor',
      guidance: profile.guidance,
      exitWords: profile.exitWords,
      record: (record) => streamRecord(state, record),
      isSettled: () => state.settled,
    }),
  })
}
