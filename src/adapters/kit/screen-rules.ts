import type { ScreenSign } from '../../contract/terminal.ts'

/** What a screen says that shows this in its last lines. */
export interface ScreenRule extends ScreenSign {
  shows: RegExp
  /** How many of the last lines are looked at, where the sign is higher than others. */
  within?: number
}

/** Dialogs and status lines are at the bottom; what is above may be anything that the agent was asked to print. */
const LAST_LINES = 4

/** The first rule that holds counts. Null: the screen says nothing that we know. */
export function readScreen(lines: readonly string[], rules: readonly ScreenRule[]): ScreenSign | null {
  const filled = lines.filter((line) => line.trim() !== '')
  for (const { shows, within = LAST_LINES, ...sign } of rules) {
    if (filled.slice(-within).some((line) => shows.test(line))) return sign
  }
  return null
}
