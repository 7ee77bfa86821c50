import type { RunHandle } from '../../contract/run-handle.ts'

const TWICE_MS = 1000

export interface SignalWatch {
  /** ^C, also when it comes through readline: once interrupts, twice within a second aborts. */
  interrupt(): void
  stop(): void
}

/** Passes on what the user or the system wants of us, so that no agent is left behind. */
export function watchSignals(handle: RunHandle, note: (text: string) => void): SignalWatch {
  let lastInterrupt = Number.NEGATIVE_INFINITY
  const abort = () => void handle.abort()
  const interrupt = () => {
    const now = Date.now()
    const isSecond = now - lastInterrupt < TWICE_MS
    lastInterrupt = now
    if (isSecond) return abort()
    note('Interrupting; press ^C again to abort')
    // A run that is just ending, or an agent that cannot be interrupted.
    handle.interrupt().catch(abort)
  }
  process.on('SIGINT', interrupt).on('SIGTERM', abort).on('SIGHUP', abort)
  return {
    interrupt,
    stop: () => void process.off('SIGINT', interrupt).off('SIGTERM', abort).off('SIGHUP', abort),
  }
}
