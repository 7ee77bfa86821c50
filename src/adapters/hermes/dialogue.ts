import type { Dialogue } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { acpOrRecords } from '../families/acp/either-wire.ts'
import { manifest } from './manifest.ts'
import { profile } from './profile.ts'
import { createState } from './state.ts'
import { streamRecord } from './stream.ts'

/** Runs speak ACP. Recordings may hold the records of `chat --format stream-json`, which releases after 0.19 print. */
export function createDialogue(options: RunOptions): Dialogue {
  const state = createState(options)
  return acpOrRecords({ manifest, profile, usesAcp: true, options, state, record: streamRecord })
}
