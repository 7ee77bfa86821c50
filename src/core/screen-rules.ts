import type { Sign } from '../contract/activity.ts'

/** What a screen says that shows this in its last lines. */
export interface ScreenRule extends Sign {
  shows: RegExp
}

/** Dialogs and status lines stand at the bottom; what stands above may be anything that the agent was told to print. */
const LAST_LINES = 4

/** The first rule that holds counts. Null: the screen says nothing that we know. */
export function readScreen(lines: readonly string[], rules: readonly ScreenRule[]): Sign | null {
  const bottom = lines.filter((line) => line.trim() !== '').slice(-LAST_LINES)
  for (const { shows, ...sign } of rules) if (bottom.some((line) => shows.test(line))) return sign
  return null
}
