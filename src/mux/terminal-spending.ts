import type { AgentAdapter } from '../contract/adapter.ts'
import type { AdapterRegistry } from '../contract/registry.ts'
import type { RunOptions } from '../contract/run-options.ts'
import type { UsageRow, UsageSource } from '../contract/session-store.ts'
import { declaredRates, pricesFor } from '../core/prices.ts'
import { openPrices } from '../files/prices.ts'
import { findLocations } from './defaults.ts'
import { openUsage } from './open-usage.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What a terminal spends, as its agent writes it down. */
export interface TerminalSpending {
  source: UsageSource
  /** Null when it has no price. */
  priceOf(usage: UsageRow): number | null
}

/** Null where the agent's store is not known. `env` is that of the agent. */
export async function openTerminalSpending(
  adapters: AdapterRegistry,
  { agent, models }: AgentAdapter,
  { cwd = process.cwd(), price, model: asked }: RunOptions,
  env: Environment,
): Promise<TerminalSpending | null> {
  const known = adapters.list().find((one) => one.agent === agent)
  const source = known ? await openUsage(known, env, cwd, Date.now()) : null
  if (!source) return null
  const priceOf = pricesFor(price, openPrices(findLocations({}, process.env, cwd).configDir).priceOf)
  return {
    source,
    priceOf(row) {
      const model = row.model ?? asked ?? ''
      const rates = declaredRates(models.find(({ modelId }) => modelId === model))
      return priceOf(model, row, row.at, rates)
    },
  }
}
