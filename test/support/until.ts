import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 10

/** Waits until the condition holds; fails with what it last saw when it does not in time. */
export async function until<T>(what: string, look: () => T | false | null | undefined, timeoutMs = 5000): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const seen = look()
    if (seen !== false && seen !== null && seen !== undefined) return seen
    if (Date.now() > deadline) throw new Error(`Not within ${timeoutMs} ms: ${what}`)
    await sleep(POLL_MS)
  }
}
