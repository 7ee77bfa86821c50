const HOUR = 3_600_000
/** The window in which several vendors count what a plan allows. */
const BLOCK = 5 * HOUR

/**
 * The five-hour block that each time belongs to, by the start of the block. A block begins with the full hour of its first
 * request and lasts five hours; the next one begins with the next request after it.
 */
export function timeBlocks(times: readonly number[]): (at: number) => number {
  const starts: number[] = []
  for (const at of Float64Array.from(times).sort()) {
    const current = starts.at(-1)
    if (current === undefined || at >= current + BLOCK) starts.push(Math.floor(at / HOUR) * HOUR)
  }
  return (at) => starts[lastNotAfter(starts, at)] ?? Math.floor(at / HOUR) * HOUR
}

function lastNotAfter(sorted: readonly number[], at: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}
