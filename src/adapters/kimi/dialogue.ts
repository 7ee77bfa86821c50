import type { Dialogue } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { acpDialogue } from '../families/acp/dialogue.ts'
import { eitherWire } from '../families/acp/either-wire.ts'
import { profile } from './profile.ts'
import { streamDialogue } from './stream.ts'

/** Runs speak ACP; recordings may be of either wire. */
export function createDialogue(options: RunOptions): Dialogue {
  return eitherWire({ usesAcp: true, acp: acpDialogue('kimi', profile)(options), stream: streamDialogue(options) })
}
