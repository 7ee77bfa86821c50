import type { RunOptions } from '../../contract/run-options.ts'
import { promptWithSystem } from '../../core/prompt.ts'

export function userRecord(content: string): string {
  return JSON.stringify({ event: 'user', message: { content } })
}

/** The first one of a run. */
export function userMessage(options: RunOptions): string {
  return userRecord(promptWithSystem(options))
}
