import type { Dialogue } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { opencodeRunDialogue } from '../../core/opencode/dialogue.ts'
import { liveDialogue, protocolOptions } from '../../core/opencode/live.ts'
import { SHELL_NOISE } from '../../core/opencode/tools.ts'
import { acpDialogue } from '../acp/dialogue.ts'
import { eitherWire } from '../acp/either-wire.ts'
import type { AcpProfile } from '../acp/profile.ts'
import { dialect } from './dialect.ts'

const profile: AcpProfile = {
  args: ['acp'],
  toolName: 'title',
  shellNoise: SHELL_NOISE,
  guidance: dialect.guidance,
}

/** Live runs speak ACP; one-shot runs read the records of `kilo run`. */
export function createDialogue(options: RunOptions): Dialogue {
  const acp = acpDialogue(dialect.agent, profile)(protocolOptions(options))
  return eitherWire({
    usesAcp: options.nonInteractive !== true,
    acp: liveDialogue(dialect, options, acp),
    stream: opencodeRunDialogue(dialect, options),
  })
}
