import type { Dialogue } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { acpDialogue } from '../families/acp/dialogue.ts'
import { eitherWire } from '../families/acp/either-wire.ts'
import { opencodeRunDialogue } from '../families/opencode/dialogue.ts'
import { liveDialogue, protocolOptions } from '../families/opencode/live.ts'
import { dialect } from './dialect.ts'
import { profile } from './profile.ts'

/** Live runs speak ACP; one-shot runs read the records of `opencode run`. */
export function createDialogue(options: RunOptions): Dialogue {
  const acp = acpDialogue(dialect.agent, profile)(protocolOptions(options))
  return eitherWire({
    usesAcp: options.nonInteractive !== true,
    acp: liveDialogue(dialect, options, acp),
    stream: opencodeRunDialogue(dialect, options),
  })
}
