import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 10

type Seen<T> = T | false | null | undefined

/** Costs nothing but when something is broken, so it is longer than any machine under load takes. */
const PATIENCE_MS = 20_000

/** Waits until the condition holds; fails with what it last saw when it does not in time. */
export async function until<T>(
  what: string,
  look: () => Seen<T> | Promise<Seen<T>>,
  timeoutMs = PATIENCE_MS,
): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const seen = await look()
    if (seen !== false && seen !== null && seen !== undefined) return seen
    if (Date.now() > deadline) throw new Error(`Not within ${timeoutMs} ms: ${what}`)
    await sleep(POLL_MS)
  }
}
