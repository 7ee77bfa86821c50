import type { Output } from './output.ts'

const QUIET_MS = 300

/** Says on a terminal what takes so long, and takes it back when it is done. */
export async function withProgress<T>(output: Output, label: string, work: Promise<T>): Promise<T> {
  const { stderr } = output
  if (!stderr.isTTY || output.json) return work
  let shown = false
  const timer = setTimeout(() => {
    shown = true
    stderr.write(`${label}…`)
  }, QUIET_MS)
  try {
    return await work
  } finally {
    clearTimeout(timer)
    if (shown) stderr.write('\r\u001b[K')
  }
}
