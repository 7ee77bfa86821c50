import { isExpression, type PricedModel, type PricedProvider, type PriceTable } from './price-table.ts'

/** Other names of providers whose prices differ from those of the model's maker. */
const ALIASES: Readonly<Record<string, string>> = {
  xai: 'x-ai',
  moonshot: 'moonshotai',
  'z-ai': 'zai',
  bedrock: 'aws',
  'amazon-bedrock': 'aws',
  'azure-openai': 'azure',
  copilot: 'github-copilot',
  gemini: 'google',
  vertex: 'google',
  'google-vertex': 'google',
  'google-vertex-anthropic': 'google',
  togetherai: 'together',
  'fireworks-ai': 'fireworks',
}

/** Models that run on somebody's own machine have no list price, whatever they are called. */
const LOCAL = new Set(['ollama', 'lmstudio', 'lm-studio', 'llamacpp', 'llama.cpp', 'vllm', 'mlx', 'local', 'localhost'])

/** Whose list has the models of everybody, by `maker/model`. */
const MARKET = 'openrouter'

/** Claude's mark for its long context, which is not a part of the name. */
const CONTEXT_MARK = /\[1m\]$/
const COMPACT_DATE = /-(20\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?=-|:|$)/g

/** The entry of a model in a table: by `provider/model` as agents write it, or by the name alone. Null: unknown. */
export function findModel(table: PriceTable, model: string): PricedModel | null {
  const name = model.trim().toLowerCase().replace(CONTEXT_MARK, '')
  if (name === '') return null
  return lookUp(table, name) ?? lookUp(table, name.replace(COMPACT_DATE, '-$1-$2-$3'))
}

function lookUp(table: PriceTable, name: string): PricedModel | null {
  const user = providerOf(table, '')
  const slash = name.indexOf('/')
  if (slash < 0) return user ? inProvider(table, user, name) : byNameAlone(table, name)
  const [prefix, rest] = [name.slice(0, slash), name.slice(slash + 1)]
  if (user) return inProvider(table, user, name) ?? inProvider(table, user, rest)
  if (LOCAL.has(prefix)) return null
  const provider = providerOf(table, ALIASES[prefix] ?? prefix)
  const market = providerOf(table, MARKET)
  return (
    (provider && inProvider(table, provider, rest)) ??
    (market && inProvider(table, market, name)) ??
    (rest.includes('/') ? lookUp(table, rest) : byNameAlone(table, rest))
  )
}

function byNameAlone(table: PriceTable, name: string): PricedModel | null {
  if (name === '') return null
  for (const provider of table.providers) {
    const found = matchesAny(provider.owns, name) ? inProvider(table, provider, name) : null
    if (found) return found
  }
  const market = providerOf(table, MARKET)
  return market?.models.find(({ patterns }) => patterns.some((one) => isNameOfMarket(one, name))) ?? null
}

function isNameOfMarket(pattern: string, name: string): boolean {
  return pattern.endsWith(`/${name}`) && !pattern.startsWith(`${MARKET}/`)
}

function inProvider(table: PriceTable, { models, fallback }: PricedProvider, name: string): PricedModel | null {
  const own = models.find(({ patterns }) => matchesAny(patterns, name))
  if (own) return own
  for (const id of fallback) {
    const found = providerOf(table, id)?.models.find(({ patterns }) => matchesAny(patterns, name))
    if (found) return found
  }
  return null
}

function providerOf({ providers }: PriceTable, id: string): PricedProvider | null {
  return providers.find((one) => one.id === id) ?? null
}

function matchesAny(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => matches(pattern, name))
}

function matches(pattern: string, name: string): boolean {
  if (isExpression(pattern)) return new RegExp(pattern.slice(1, -1)).test(name)
  const [atStart, atEnd] = [pattern.startsWith('*'), pattern.endsWith('*')]
  const text = pattern.slice(atStart ? 1 : 0, atEnd ? -1 : undefined).toLowerCase()
  if (atStart && atEnd) return name.includes(text)
  if (atEnd) return name.startsWith(text)
  return atStart ? name.endsWith(text) : name === text
}
