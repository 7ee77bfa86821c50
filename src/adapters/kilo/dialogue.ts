import type { Dialogue } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { opencodeRunDialogue } from '../../core/opencode/dialogue.ts'
import { liveDialogue, protocolOptions } from '../../core/opencode/live.ts'
import { acpDialogue } from '../acp/dialogue.ts'
import { eitherWire } from '../acp/either-wire.ts'
import { dialect } from './dialect.ts'
import { profile } from './profile.ts'

/** Live runs speak ACP; one-shot runs read the records of `kilo run`. */
export function createDialogue(options: RunOptions): Dialogue {
  const acp = acpDialogue(dialect.agent, profile)(protocolOptions(options))
  return eitherWire({
    usesAcp: options.nonInteractive !== true,
    acp: liveDialogue(dialect, options, acp),
    stream: opencodeRunDialogue(dialect, options),
  })
}
