// Writes data/prices.json: the list prices that we need, from @pydantic/genai-prices and scripts/price-additions.json.
// `npm run prices` after an update of that package. The file's format is that of the user's own prices.json, see
// src/core/price-table.ts.
import { readFileSync, writeFileSync } from 'node:fs'
import { waitForUpdate } from '@pydantic/genai-prices'

const OUT = new URL('../data/prices.json', import.meta.url)

/** In the order in which they are asked for a model that names no provider. */
const PROVIDERS = [
  ...['anthropic', 'openai', 'google', 'x-ai', 'moonshotai', 'deepseek', 'mistral', 'zai', 'minimax'],
  ...['cursor', 'github-copilot', 'aws', 'azure', 'groq', 'cerebras', 'fireworks', 'together', 'openrouter'],
]

/** Whose models are known by their names alone, where the package does not say so. */
const OWNS = {
  zai: 'glm-*',
  minimax: 'minimax-*',
  cursor: 'composer-*',
  aws: '/^([a-z]+\\.)?(amazon|anthropic|cohere|deepseek|google|meta|minimax|mistral|moonshot|nvidia|openai|qwen|zai)\\./',
}

const RATES = {
  input: 'input_mtok',
  output: 'output_mtok',
  cacheRead: 'cache_read_mtok',
  cacheWrite: 'cache_write_mtok',
  cacheWrite1h: 'cache_write_1h_mtok',
  reasoning: 'output_reasoning_mtok',
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** One word for each way a name can match: `exact`, `start*`, `*end`, `*part*` or `/expression/`. */
function patterns(match) {
  const [kind, value] = Object.entries(match)[0]
  switch (kind) {
    case 'or':
      return value.flatMap(patterns)
    case 'equals':
      return [value.toLowerCase()]
    case 'starts_with':
      return [`${value.toLowerCase()}*`]
    case 'ends_with':
      return [`*${value.toLowerCase()}`]
    case 'contains':
      return [`*${value.toLowerCase()}*`]
    case 'regex':
      return [`/${value}/`]
    case 'and':
      return [`/${value.map(lookahead).join('')}/`]
    default:
      throw new Error(`A match of a kind that we do not know: ${kind}`)
  }
}

function lookahead(match) {
  if (match.starts_with !== undefined) return `(?=^${escaped(match.starts_with.toLowerCase())})`
  if (match.regex?.startsWith('^')) return `(?=${match.regex})`
  throw new Error(`Cannot combine ${JSON.stringify(match)}`)
}

const rate = (price) =>
  typeof price === 'number' ? price : [price.base, ...price.tiers.map(({ start, price }) => [start, price])]

function period({ constraint, prices }) {
  const when =
    constraint === undefined
      ? {}
      : constraint.type === 'start_date'
        ? { from: constraint.start_date }
        : { hours: [constraint.start_time, constraint.end_time].map((time) => time.slice(0, 5)) }
  const rates = Object.entries(RATES).flatMap(([name, key]) =>
    prices[key] === undefined ? [] : [[name, rate(prices[key])]],
  )
  return { ...when, ...Object.fromEntries(rates) }
}

/** Null for what is not priced by input and output tokens. */
function periods(model) {
  const list = (Array.isArray(model.prices) ? model.prices : [{ prices: model.prices }]).map(period)
  if (list.some(({ input, output }) => input === undefined || output === undefined)) {
    return model.id.endsWith(':free') ? { input: 0, output: 0 } : null
  }
  return list.length === 1 ? list[0] : list
}

function ownModels(provider) {
  const models = {}
  for (const model of provider.models) {
    const prices = periods(model)
    if (prices) models[[...new Set(patterns(model.match))].join(' ')] = prices
  }
  return models
}

const known = await waitForUpdate()
const byId = new Map(known.map((provider) => [provider.id, provider]))
const additions = JSON.parse(readFileSync(new URL('price-additions.json', import.meta.url), 'utf8'))
const { version } = JSON.parse(
  readFileSync(new URL('../node_modules/@pydantic/genai-prices/package.json', import.meta.url), 'utf8'),
)

const providers = {}
for (const id of PROVIDERS) {
  const provider = byId.get(id)
  const owns = OWNS[id] ?? (provider.model_match && patterns(provider.model_match).join(' '))
  const fallback = provider.fallback_model_providers?.filter((one) => PROVIDERS.includes(one))
  providers[id] = {
    ...(owns ? { owns } : {}),
    ...(fallback ? { fallback } : {}),
    // The first match counts, so ours come first.
    models: { ...additions.providers[id]?.models, ...ownModels(provider) },
  }
}

const source = `@pydantic/genai-prices ${version}; ${additions.source}`
const before = readTable()
const isSame = JSON.stringify([before?.source, before?.providers]) === JSON.stringify([source, providers])
const date = isSame ? before.date : new Date().toISOString().slice(0, 10)
writeFileSync(OUT, format({ date, source, providers }))
const count = Object.values(providers).reduce((sum, { models }) => sum + Object.keys(models).length, 0)
console.log(`${count} models of ${PROVIDERS.length} providers, as of ${date}`)

function readTable() {
  try {
    return JSON.parse(readFileSync(OUT, 'utf8'))
  } catch {
    return null
  }
}

/** One model a line, so that a change of prices can be read in a diff. */
function format(table) {
  const blocks = Object.entries(table.providers).map(([id, { models, ...rest }]) => {
    const lines = Object.entries(models).map(
      ([name, prices]) => `        ${JSON.stringify(name)}: ${JSON.stringify(prices)}`,
    )
    const head = Object.entries(rest).map(
      ([name, value]) => `      ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`,
    )
    return `    ${JSON.stringify(id)}: {\n${head.join('')}      "models": {\n${lines.join(',\n')}\n      }\n    }`
  })
  const head = `  "date": ${JSON.stringify(table.date)},\n  "source": ${JSON.stringify(table.source)},\n`
  return `{\n${head}  "providers": {\n${blocks.join(',\n')}\n  }\n}\n`
}
