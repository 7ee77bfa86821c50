import { setTimeout as sleep } from 'node:timers/promises'

/** It looks often at first, then less and less: to look costs those who are looked at the time that they need. */
const FIRST_MS = 5
const LAST_MS = 100
const GROWTH = 1.25

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
  for (let pause = FIRST_MS; ; pause = Math.min(pause * GROWTH, LAST_MS)) {
    const seen = await look()
    if (seen !== false && seen !== null && seen !== undefined) return seen
    if (Date.now() > deadline) throw new Error(`Not within ${timeoutMs} ms: ${what}`)
    await sleep(pause)
  }
}
