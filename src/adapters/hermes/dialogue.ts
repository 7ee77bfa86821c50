import type { Dialogue } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { acpOrRecords } from '../families/acp/either-wire.ts'
import { manifest } from './manifest.ts'
import { profile } from './profile.ts'
import { createState } from './state.ts'
import { streamRecord } from './stream.ts'

/** Speaks both wires of Hermes: ACP, and the records of a one-shot run. */
export function createDialogue(options: RunOptions): Dialogue {
  const state = createState(options)
  return acpOrRecords({ manifest, profile, usesAcp: !options.nonInteractive, options, state, record: streamRecord })
}
