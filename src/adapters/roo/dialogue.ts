import type { Dialogue } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { oneWayStream } from '../kit/one-way.ts'
import { manifest } from './manifest.ts'
import { createState } from './state.ts'
import { failed, GUIDANCE, streamRecord } from './stream.ts'

/** Reads the records of Roo. An error may be followed by more work; it is the verdict when nothing follows. */
export function createDialogue(options: RunOptions): Dialogue {
  const state = createState(options)
  const stream = oneWayStream({
    options,
    displayName: manifest.displayName,
    guidance: GUIDANCE,
    exitWords: [
      { pattern: /^.*(No API key provided|token is not valid|Authentication with .* failed).*$/im, kind: 'auth' },
      { pattern: /^\[CLI\] Error: Invalid .*$/im, kind: 'invalid_request' },
    ],
    record: (record) => streamRecord(state, record),
    isSettled: () => state.settled,
  })
  return {
    ...stream,
    onExit: (exit) => (!state.settled && state.lastError !== '' ? failed(state.lastError) : stream.onExit(exit)),
  }
}
