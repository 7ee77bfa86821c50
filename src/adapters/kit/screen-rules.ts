import type { ScreenSign } from '../../contract/terminal.ts'

/** What a screen says that shows this in its last lines. */
export interface ScreenRule extends ScreenSign {
  shows: RegExp
  /** How many of the last lines are looked at, where the sign is higher than others. */
  within?: number
  /** With `idle`: how the turn has ended, by what is above. For agents whose hooks do not report it. */
  ending?: (lines: readonly string[]) => Pick<ScreenSign, 'ended' | 'detail'>
}

/** Dialogs and status lines are at the bottom; what is above may be anything that the agent was asked to print. */
const LAST_LINES = 4

/** The first rule that holds counts. Null: the screen says nothing that we know. */
export function readScreen(lines: readonly string[], rules: readonly ScreenRule[]): ScreenSign | null {
  const filled = lines.filter((line) => line.trim() !== '')
  for (const { shows, within = LAST_LINES, ending, ...sign } of rules) {
    if (filled.slice(-within).some((line) => shows.test(line))) return { ...sign, ...ending?.(filled) }
  }
  return null
}

export interface LastBlock {
  /** The first line of what is below all that was said: the last one like this. */
  below: RegExp
  /** The first line of whatever an agent shows: a prompt, an answer, a tool, a failure. */
  begins: RegExp
  /** All of a failure in one line; its first group is what went wrong. */
  failed: RegExp
  interrupted?: RegExp
}

/** The last thing that was said is a failure: what the agent was asked to print stands in a block of another kind. */
export function endingOf({ below, begins, failed, interrupted }: LastBlock): NonNullable<ScreenRule['ending']> {
  return (lines) => {
    const said = lines.slice(
      0,
      Math.max(
        0,
        lines.findLastIndex((line) => below.test(line)),
      ),
    )
    const first = said.findLastIndex((line) => begins.test(line))
    const block =
      first < 0
        ? ''
        : said
            .slice(first)
            .map((line) => line.trim())
            .join(' ')
    if (interrupted?.test(block)) return { ended: 'interrupted', detail: 'interrupted at its screen' }
    const detail = failed.exec(block)?.[1]
    return detail === undefined ? {} : { ended: 'failed', detail }
  }
}
