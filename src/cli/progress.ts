import { type Output, widthOf } from './output.ts'
import { own } from './terminal-text.ts'
import { truncate } from './text.ts'

const QUIET_MS = 300
const BAR_WIDTH = 24
const CLEAR_LINE = own('\r\u001b[K')

/** Says on a terminal what takes so long, and takes it back when it is done. */
export function withProgress<T>(output: Output, label: string, work: Promise<T>): Promise<T> {
  return withProgressBar(output, label, () => work)
}

/** How far a piece of work is, and what of it is being done. */
export interface Step {
  done: number
  total: number
  label?: string
}

/** The same with a bar, as soon as the work has reported its progress. */
export async function withProgressBar<T>(
  output: Output,
  label: string,
  work: (report: (step: Step) => void) => Promise<T>,
): Promise<T> {
  const { stderr } = output
  if (!stderr.isTTY || output.json) return work(() => {})
  let isShown = false
  let step: Step | null = null
  const draw = () => {
    isShown = true
    const line = step ? barOf(step.label ?? label, step) : `${label}…`
    // A line that wraps could not be taken back.
    stderr.write(CLEAR_LINE + truncate(line, widthOf(stderr) - 1))
  }
  const timer = setTimeout(draw, QUIET_MS)
  try {
    return await work((now) => {
      const isNews = step === null || percent(step) !== percent(now) || step.label !== now.label
      step = now
      if (isShown && isNews) draw()
    })
  } finally {
    clearTimeout(timer)
    if (isShown) stderr.write(CLEAR_LINE)
  }
}

function percent({ done, total }: Step): number {
  return total === 0 ? 100 : Math.floor((100 * done) / total)
}

export function barOf(label: string, step: Step): string {
  const filled = Math.round((BAR_WIDTH * percent(step)) / 100)
  return `${label} ${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${step.done}/${step.total}`
}
