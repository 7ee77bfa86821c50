import type { UsageRow, UsageSource } from '../contract/session-store.ts'
import { matchingFiles } from '../files/matching-files.ts'

type Opened = Pick<UsageSource, 'rows'>

/**
 * What an agent writes down in a store of one run only. It is there once the agent has made it, and another one after a
 * retry.
 */
export class OwnStoreUsage implements UsageSource {
  readonly #pattern: () => string | null
  readonly #open: (path: string) => Opened
  readonly #stores = new Map<string, Opened>()

  constructor(pattern: () => string | null, open: (path: string) => Opened) {
    this.#pattern = pattern
    this.#open = open
  }

  async rows(sessionId: string | null): Promise<readonly UsageRow[]> {
    const pattern = this.#pattern()
    for (const path of pattern === null ? [] : await matchingFiles(pattern)) {
      if (!this.#stores.has(path)) this.#stores.set(path, this.#open(path))
    }
    const all = await Promise.all([...this.#stores.values()].map((store) => store.rows(sessionId)))
    return all.flat()
  }

  async turns(): Promise<null> {
    return null
  }
}
