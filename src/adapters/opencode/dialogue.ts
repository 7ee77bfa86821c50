import type { Dialogue } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { opencodeRunDialogue } from '../../core/opencode/dialogue.ts'
import { liveDialogue, protocolOptions } from '../../core/opencode/live.ts'
import { opencode } from '../../core/opencode/opencode.ts'
import { SHELL_NOISE } from '../../core/opencode/tools.ts'
import { acpDialogue } from '../acp/dialogue.ts'
import { eitherWire } from '../acp/either-wire.ts'
import type { AcpProfile } from '../acp/profile.ts'

const profile: AcpProfile = {
  args: ['acp'],
  toolName: 'title',
  shellNoise: SHELL_NOISE,
  guidance: opencode.guidance,
}

/** Live runs speak ACP; one-shot runs read the records of `opencode run`. */
export function createDialogue(options: RunOptions): Dialogue {
  const acp = acpDialogue(opencode.agent, profile)(protocolOptions(options))
  return eitherWire({
    usesAcp: options.nonInteractive !== true,
    acp: liveDialogue(opencode, options, acp),
    stream: opencodeRunDialogue(opencode, options),
  })
}
