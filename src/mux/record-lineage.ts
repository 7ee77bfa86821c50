import type { RunHandle } from '../contract/run-handle.ts'
import type { RunOptions } from '../contract/run-options.ts'

/** Writes down, as soon as the new session has a name, which one it was made from. */
export function recordLineage(handle: RunHandle, options: RunOptions, dataDir: string): void {
  const { continuedFrom } = options
  if (options.forkSessionId === undefined && continuedFrom === undefined) return
  const { agent, runId } = handle
  let isRecorded = false
  const record = ({ sessionId }: { sessionId: string }): void => {
    // By then it is the whole id, whatever the caller gave.
    const origin = continuedFrom ?? `${agent}:${options.forkSessionId}`
    const to = `${agent}:${sessionId}`
    if (isRecorded || sessionId === '' || to === origin) return
    isRecorded = true
    const entry = { kind: continuedFrom === undefined ? 'fork' : 'handoff', from: origin, to, runId } as const
    import('../sessions/lineage.ts')
      .then(({ appendLineage }) => appendLineage(dataDir, entry, Date.now()))
      .catch(() => {}) // a convenience; the run is what counts
  }
  for (const type of ['session_start', 'session_fork', 'session_checkpoint', 'session_end'] as const) {
    handle.on(type, record)
  }
}
