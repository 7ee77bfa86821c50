import type { AgentName } from '../contract/names.ts'
import type { QuotaManager, QuotaStatus } from '../contract/quota.ts'
import { findBinary } from '../process/find-binary.ts'
import type { RegisteredAgent, Registry } from './registry.ts'

const CACHE_MS = 5 * 60_000

/** `mux.quota`. Nothing is asked before the first question. */
export class Quotas implements QuotaManager {
  readonly #registry: Registry
  readonly #env: Readonly<Record<string, string | undefined>>
  readonly #now: () => number
  readonly #asked = new Map<AgentName, { at: number; status: Promise<QuotaStatus | null> }>()

  constructor(registry: Registry, env: Readonly<Record<string, string | undefined>>, now: () => number = Date.now) {
    this.#registry = registry
    this.#env = env
    this.#now = now
  }

  check(agent: AgentName): Promise<QuotaStatus | null> {
    const known = this.#asked.get(agent)
    if (known && this.#now() - known.at < CACHE_MS) return known.status
    const status = this.#ask(this.#registry.get(agent))
    // Stored before it is done: those who ask meanwhile get the same answer. A failure is not kept.
    this.#asked.set(agent, { at: this.#now(), status })
    status.catch(() => this.#asked.delete(agent))
    return status
  }

  async checkAll(): Promise<QuotaStatus[]> {
    const able = this.#registry
      .entries()
      .filter(({ capabilities, cliCommand }) => capabilities.supportsQuota && findBinary(cliCommand, this.#env))
    const all = await Promise.all(able.map(({ agent }) => this.check(agent).catch(() => null)))
    return all.filter((status) => status !== null)
  }

  async #ask({ capabilities, load }: RegisteredAgent): Promise<QuotaStatus | null> {
    const adapter = capabilities.supportsQuota ? await load() : null
    return adapter?.getQuotaStatus?.() ?? null
  }
}
