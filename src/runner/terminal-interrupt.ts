import { AgentMuxError } from '../contract/errors.ts'
import type { TerminalKeys } from '../contract/terminal.ts'
import type { ScreenWatch } from './screen-watch.ts'

const TRIES = 3
const STOPPED_MS = 2500

export interface TerminalInterrupt {
  watch: ScreenWatch
  keys: TerminalKeys
  press(keys: readonly string[]): Promise<void>
}

/**
 * Stops the turn. A busy agent may take two keys for one, so that they are pressed again while it shows that it works.
 */
export async function interrupt({ watch, keys, press }: TerminalInterrupt): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    await press(keys.interrupt)
    if (await watch.until((sign) => sign?.state !== 'active', STOPPED_MS)) return
  }
  throw new AgentMuxError('TIMEOUT', 'The agent goes on with its turn', {
    hint: 'Attach to the session and look at its screen.',
  })
}
