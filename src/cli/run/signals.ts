import type { RunHandle } from '../../contract/run-handle.ts'

const TWICE_MS = 1000
const INTERRUPTED = 130

export interface SignalWatch {
  /** ^C, also when it comes through readline: once interrupts, twice within a second aborts. */
  interrupt(): void
  /** The run is over: what a signal asked for is done, and the process only has its last words to write. */
  stop(): void
}

/** Passes on what the user or the system wants of us, so that no agent is left behind. */
export function watchSignals(handle: RunHandle, note: (text: string) => void): SignalWatch {
  let lastInterrupt = Number.NEGATIVE_INFINITY
  const isPressedAgain = () => {
    const before = lastInterrupt
    lastInterrupt = Date.now()
    return lastInterrupt - before < TWICE_MS
  }
  const abort = () => void handle.abort()
  const interrupt = () => {
    if (isPressedAgain()) return abort()
    note('Interrupting; press ^C again to abort')
    // A run that is just ending, or an agent that cannot be interrupted.
    handle.interrupt().catch(abort)
  }
  // Without a listener one more ^C of the same burst would kill us before the result is written.
  const leave = () => {
    if (!isPressedAgain()) process.exit(INTERRUPTED)
  }
  process.on('SIGINT', interrupt).on('SIGTERM', abort).on('SIGHUP', abort)
  return {
    interrupt,
    stop: () => void process.off('SIGINT', interrupt).on('SIGINT', leave).off('SIGTERM', abort).off('SIGHUP', abort),
  }
}
