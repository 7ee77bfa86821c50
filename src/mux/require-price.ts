import { AgentMuxError } from '../contract/errors.ts'
import type { RunOptions } from '../contract/run-options.ts'
import { declaredRates, PRICE_HINT, type PriceBook } from '../core/prices.ts'
import type { RegisteredAgent } from './registry.ts'

/**
 * A budget that could not be kept is refused before anything is spent. An agent that reports its costs itself may know
 * models that we do not; when it does not, its run is ended after the first request. The same goes for a model that the
 * agent chooses.
 */
export function requirePrice(
  { models, capabilities }: Pick<RegisteredAgent, 'models' | 'capabilities'>,
  { maxCostUsd, price, model }: RunOptions,
  prices: () => PriceBook,
): void {
  if (maxCostUsd === undefined || price !== undefined || model === undefined || capabilities.reportsCost) return
  const known = models.find((one) => one.modelId === model || one.modelAlias === model)
  if (prices().ratesOf(known?.modelId ?? model, Date.now(), declaredRates(known)) !== null) return
  throw new AgentMuxError(
    'PRICE_UNKNOWN',
    `The price of the model "${model}" is not known, so a budget of $${maxCostUsd} cannot be kept`,
    { hint: PRICE_HINT },
  )
}
