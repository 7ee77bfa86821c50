import type { Sign } from '../contract/activity.ts'
import { AgentMuxError, CapabilityError } from '../contract/errors.ts'
import type { AgentName } from '../contract/names.ts'
import type { TerminalKeys } from '../contract/terminal.ts'
import type { ScreenWatch } from './screen-watch.ts'

const GONE_MS = 5000
const ATTACH = 'Attach to the session and answer it there.'

export interface TerminalDecision {
  agent: AgentName
  decision: 'approve' | 'deny'
  watch: ScreenWatch
  keys: TerminalKeys
  press(keys: readonly string[]): Promise<void>
}

/**
 * Answers the permission dialog on the agent's own screen. It has to be there to be seen before a key is pressed, and
 * to be gone afterwards: else this rejects.
 */
export async function decide({ agent, decision, watch, keys, press }: TerminalDecision): Promise<void> {
  if (!keys.decide) throw new CapabilityError(agent, `${decision} in a terminal`, { hint: ATTACH })
  const isOpen = (sign: Sign | null) => sign?.dialog === 'permission'
  if (!(await watch.until(isOpen, 0))) {
    throw new AgentMuxError('NO_PENDING_INTERACTION', 'No permission dialog is on its screen', { hint: ATTACH })
  }
  await press(keys.decide[decision])
  if (await watch.until((sign) => !isOpen(sign), GONE_MS)) return
  throw new AgentMuxError('TIMEOUT', 'Its dialog is still open', { hint: ATTACH })
}
