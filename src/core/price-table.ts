import { AgentMuxError } from '../contract/errors.ts'
import { asArray, asString, isRecord } from './json.ts'

/** Dollars per million tokens; a list has the price of small prompts, then `[above so many input tokens, price]`. */
export type Rate = number | readonly [number, ...(readonly [number, number])[]]

/** What a model costs during a period. Without a rate of their own, cached tokens cost what other input does. */
export interface Rates {
  input: Rate
  output: Rate
  cacheRead?: Rate
  cacheWrite?: Rate
  /** Written to be kept for an hour. */
  cacheWrite1h?: Rate
  reasoning?: Rate
  /** A day, `2026-03-13`: from then on. */
  from?: string
  /** Times of the day in UTC, `['01:00', '04:00']`: between them only. */
  hours?: readonly [string, string]
}

/** The last period that applies counts. */
export interface PricedModel {
  patterns: readonly string[]
  periods: readonly Rates[]
}

export interface PricedProvider {
  id: string
  /** The models that are his by their names alone. */
  owns: readonly string[]
  /** Whose prices apply to models that are not in its own list. */
  fallback: readonly string[]
  models: readonly PricedModel[]
}

export interface PriceTable {
  date: string
  source: string
  providers: readonly PricedProvider[]
}

const RATE_NAMES = ['input', 'output', 'cacheRead', 'cacheWrite', 'cacheWrite1h', 'reasoning'] as const
const DAY = /^\d{4}-\d{2}-\d{2}$/
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/

/**
 * Reads a price table, ours or the user's. Names are lists of words: `exact`, `start*`, `*end`, `*part*` or
 * `/expression/`. The user's has `models` alone, ours has them by provider.
 */
export function readPriceTable(value: unknown, file: string): PriceTable {
  const table = openPriceTable(value, file)
  for (const { models } of table.providers) for (const { periods } of models) void periods
  return table
}

/** For a table that is known to be right: of its many models only those are read that are asked for. */
export function openPriceTable(value: unknown, file: string): PriceTable {
  const fail = (message: string): never => {
    throw new AgentMuxError('CONFIG_ERROR', `${file}: ${message}`, {
      hint: 'A model is written so: {"models": {"my-model*": {"input": 1.5, "output": 6}}}, in dollars per million tokens.',
    })
  }
  if (!isRecord(value)) return fail('must hold a JSON object')
  const providers = value.providers ?? { '': { models: value.models } }
  if (!isRecord(providers)) return fail('"providers" must be an object')
  return {
    date: asString(value.date) ?? '',
    source: asString(value.source) ?? file,
    providers: Object.entries(providers).map(([id, provider]) => readProvider(id, provider, fail)),
  }
}

type Fail = (message: string) => never

function readProvider(id: string, value: unknown, fail: Fail): PricedProvider {
  if (!isRecord(value) || !isRecord(value.models)) return fail('"models" must be an object')
  const listed = Object.entries(value.models)
  let models: readonly PricedModel[] | undefined
  return {
    id,
    owns: words(asString(value.owns) ?? ''),
    fallback: asArray(value.fallback).filter((one) => typeof one === 'string'),
    get models() {
      models ??= listed.map(([name, prices]) => new ListedModel(name, prices, fail))
      return models
    },
  }
}

class ListedModel implements PricedModel {
  readonly patterns: readonly string[]
  readonly #name: string
  readonly #prices: unknown
  readonly #fail: Fail
  #periods: readonly Rates[] | null = null

  constructor(name: string, prices: unknown, fail: Fail) {
    this.patterns = words(name)
    this.#name = name
    this.#prices = prices
    this.#fail = fail
  }

  get periods(): readonly Rates[] {
    this.#periods ??= this.#read()
    return this.#periods
  }

  #read(): Rates[] {
    if (this.patterns.length === 0) return this.#fail('a model has no name')
    for (const pattern of this.patterns) checkExpression(pattern, this.#fail)
    const periods = Array.isArray(this.#prices) ? this.#prices : [this.#prices]
    return periods.map((period) => readRates(this.#name, period, this.#fail))
  }
}

function words(text: string): string[] {
  return text.split(' ').filter((word) => word !== '')
}

function checkExpression(pattern: string, fail: Fail): void {
  if (!isExpression(pattern)) return
  try {
    new RegExp(pattern.slice(1, -1))
  } catch (error) {
    fail(`${pattern} is not a regular expression: ${error instanceof Error ? error.message : error}`)
  }
}

export function isExpression(pattern: string): boolean {
  return pattern.length > 2 && pattern.startsWith('/') && pattern.endsWith('/')
}

function readRates(name: string, value: unknown, fail: Fail): Rates {
  if (!isRecord(value)) return fail(`the prices of "${name}" must be an object`)
  const { from, hours, ...rest } = value
  const unknownName = Object.keys(rest).find((key) => !RATE_NAMES.some((rate) => rate === key))
  if (unknownName !== undefined) {
    return fail(`"${name}" has an unknown field "${unknownName}"; there are ${RATE_NAMES.join(', ')}, from, hours`)
  }
  const rate = (key: (typeof RATE_NAMES)[number]): Rate => {
    const given = rest[key]
    return isRate(given)
      ? given
      : fail(`"${key}" of "${name}" must be a number of dollars, or [number, [above, number]…]`)
  }
  const rates: Rates = { input: rate('input'), output: rate('output') }
  for (const key of RATE_NAMES) if (rest[key] !== undefined) rates[key] = rate(key)
  if (from !== undefined) {
    if (typeof from !== 'string' || !DAY.test(from)) return fail(`"from" of "${name}" must be a day such as 2026-03-13`)
    rates.from = from
  }
  if (hours !== undefined) {
    if (!isHours(hours)) return fail(`"hours" of "${name}" must be two times such as ["01:00", "04:00"]`)
    rates.hours = hours
  }
  return rates
}

function isPrice(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

function isRate(value: unknown): value is Rate {
  if (!Array.isArray(value)) return isPrice(value)
  const [base, ...tiers] = value
  return isPrice(base) && tiers.every((tier) => Array.isArray(tier) && tier.length === 2 && tier.every(isPrice))
}

function isHours(value: unknown): value is [string, string] {
  return (
    Array.isArray(value) && value.length === 2 && value.every((time) => typeof time === 'string' && TIME.test(time))
  )
}
