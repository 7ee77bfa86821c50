import type { DialogueExit } from '../contract/dialogue.ts'

const STOPPED: ReadonlySet<number | string | null> = new Set(['SIGTERM', 'SIGINT', 130, 143])

/** The process was told to end, by a signal or as a shell reports one. */
export function wasStopped({ signal, exitCode }: DialogueExit): boolean {
  return STOPPED.has(signal) || STOPPED.has(exitCode)
}
