import { AgentMuxError } from '../contract/errors.ts'
import type { CatalogEntry, ModelRefresh, ModelRegistry, ModelValidation } from '../contract/model-registry.ts'
import type { ModelCapabilities } from '../contract/models.ts'
import type { AgentName } from '../contract/names.ts'
import type { Rate } from '../core/price-table.ts'
import { declaredRates, type PriceBook } from '../core/prices.ts'
import { nearest } from '../core/suggest.ts'
import { keepModels, type ReportedModels, recallModels } from './model-cache.ts'
import type { RegisteredAgent, Registry } from './registry.ts'

const MAX_SUGGESTIONS = 5

/** `mux.models`. Nothing is read before the first question. */
export class Models implements ModelRegistry {
  readonly #registry: Registry
  readonly #prices: () => PriceBook
  readonly #now: () => number
  readonly #dataDir: () => string
  /** Null: the CLI has reported nothing lately. */
  readonly #reported = new Map<AgentName, ReportedModels | null>()

  constructor(registry: Registry, prices: () => PriceBook, dataDir: () => string, now: () => number = Date.now) {
    this.#registry = registry
    this.#prices = prices
    this.#dataDir = dataDir
    this.#now = now
  }

  models(agent: AgentName): ModelCapabilities[] {
    const prices = this.#prices()
    return this.#list(agent).map((model) => withPrices(model, prices, this.#now()))
  }

  catalog(agent?: AgentName): CatalogEntry[] {
    const entries = agent === undefined ? this.#registry.entries() : [this.#registry.get(agent)]
    return entries.flatMap(({ agent, defaultModelId }) =>
      this.models(agent).map((model) => ({ ...model, isDefault: model.modelId === defaultModelId })),
    )
  }

  model(agent: AgentName, name: string): ModelCapabilities | null {
    const [found, ...more] = this.#find(agent, name)
    return found && more.length === 0 ? this.#priced(found) : null
  }

  defaultModel(agent: AgentName): ModelCapabilities | null {
    const { defaultModelId } = this.#registry.get(agent)
    return defaultModelId === undefined ? null : this.model(agent, defaultModelId)
  }

  validate(agent: AgentName, name: string): ModelValidation {
    const list = this.#list(agent)
    const found = this.#find(agent, name)
    const [model, ...more] = found
    if (!model) return unknownModel(agent, name, list)
    if (more.length > 0) {
      const suggestions = found.map(({ modelId }) => modelId).slice(0, MAX_SUGGESTIONS)
      return {
        valid: false,
        status: 'ambiguous',
        message: `"${name}" may be any of ${suggestions.join(', ')}`,
        suggestions,
      }
    }
    const { modelId, successorModelId } = model
    const base = { valid: true, model: this.#priced(model), resolvedModelId: modelId }
    if (model.deprecated) {
      const next = successorModelId === undefined ? '' : `; use ${successorModelId}`
      return { ...base, status: 'deprecated', message: `${modelId} is deprecated${next}`, successorModelId }
    }
    return modelId === name
      ? { ...base, status: 'ok', message: `${modelId} is a model of ${agent}` }
      : { ...base, status: 'alias', message: `"${name}" stands for ${modelId}` }
  }

  estimateCost(agent: AgentName, name: string, inputTokens: number, outputTokens: number): number | null {
    const [known] = this.#find(agent, name)
    const usage = { inputTokens, outputTokens }
    return this.#prices().priceOf(known?.modelId ?? name, usage, this.#now(), declaredRates(known))
  }

  async refresh(agent: AgentName): Promise<ModelRefresh> {
    const adapter = await this.#registry.load(agent)
    if (!adapter.discoverModels) return { agent, models: this.models(agent), source: 'bundled' }
    const models = await adapter.discoverModels()
    // A CLI that reports none, for example without a key, does not remove ours.
    if (models.length === 0) return { agent, models: this.models(agent), source: 'bundled' }
    const reported = { models, at: this.#now() }
    this.#reported.set(agent, reported)
    await keepModels(this.#dataDir(), agent, reported)
    return { agent, models: this.models(agent), source: 'remote' }
  }

  refreshAll(): Promise<ModelRefresh[]> {
    return Promise.all(
      this.#registry.entries().map(({ agent }) =>
        this.refresh(agent).catch((error: unknown): ModelRefresh => {
          const problem = error instanceof Error ? error.message : String(error)
          return { agent, models: this.models(agent), source: 'bundled', problem }
        }),
      ),
    )
  }

  lastUpdated(agent: AgentName): string | null {
    const reported = this.#recall(agent)
    if (reported) return new Date(reported.at).toISOString()
    const days = this.#list(agent).map(({ lastUpdated }) => lastUpdated)
    return days.sort().at(-1) ?? null
  }

  #list(agent: AgentName): readonly ModelCapabilities[] {
    const entry: RegisteredAgent = this.#registry.get(agent)
    return this.#recall(agent)?.models ?? entry.models
  }

  #recall(agent: AgentName): ReportedModels | null {
    const known = this.#reported.get(agent)
    if (known !== undefined) return known
    const reported = recallModels(this.#dataDir(), agent, this.#now())
    this.#reported.set(agent, reported)
    return reported
  }

  /** By id; else by alias; else by the name without its provider. More than one: the name is not enough. */
  #find(agent: AgentName, name: string): ModelCapabilities[] {
    if (typeof name !== 'string' || name === '') {
      throw new AgentMuxError('VALIDATION_ERROR', 'The model must be a name', { hint: `amux models list ${agent}` })
    }
    const list = this.#list(agent)
    const ways = [
      ({ modelId }: ModelCapabilities) => modelId === name,
      ({ modelAlias }: ModelCapabilities) => modelAlias === name,
      ({ modelId }: ModelCapabilities) => modelId.endsWith(`/${name}`),
    ]
    for (const way of ways) {
      const found = list.filter(way)
      if (found.length > 0) return found
    }
    return []
  }

  #priced(model: ModelCapabilities): ModelCapabilities {
    return withPrices(model, this.#prices(), this.#now())
  }
}

function unknownModel(agent: AgentName, name: string, list: readonly ModelCapabilities[]): ModelValidation {
  const names = list.flatMap(({ modelId, modelAlias }) =>
    modelAlias === undefined ? [modelId] : [modelId, modelAlias],
  )
  const suggestions = nearest(name, names, MAX_SUGGESTIONS)
  const message =
    list.length === 0
      ? `We have no list of the models of ${agent}; "${name}" is passed on as it is`
      : `"${name}" is not in our list for ${agent}; it is passed on as it is`
  return { valid: false, status: 'unknown', message, ...(suggestions.length > 0 ? { suggestions } : {}) }
}

/** The price of a prompt of common size, for the fields that have one number. */
function base(rate: Rate | undefined): number | undefined {
  return typeof rate === 'object' ? rate[0] : rate
}

function withPrices(model: ModelCapabilities, prices: PriceBook, at: number): ModelCapabilities {
  const rates = prices.ratesOf(model.modelId, at, declaredRates(model))
  if (!rates) return model
  const { input, output, cacheRead, reasoning } = rates
  return {
    ...model,
    inputPricePerMillion: base(input),
    outputPricePerMillion: base(output),
    cachedInputPricePerMillion: base(cacheRead),
    ...(reasoning === undefined ? {} : { thinkingPricePerMillion: base(reasoning) }),
  }
}
