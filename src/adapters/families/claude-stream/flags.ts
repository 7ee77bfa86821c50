import type { RunOptions } from '../../../contract/run-options.ts'

/** Which conversation a run is about, in the flags that Claude Code and its kin have in common. */
export function sessionFlags({ sessionId, forkSessionId, newSessionId }: RunOptions): string[] {
  const flags: string[] = []
  const resumed = forkSessionId ?? sessionId
  if (resumed !== undefined) flags.push(`--resume=${resumed}`)
  if (forkSessionId !== undefined) flags.push('--fork-session')
  if (newSessionId !== undefined) flags.push(`--session-id=${newSessionId}`)
  return flags
}
