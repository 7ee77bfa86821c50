import { readFileSync } from 'node:fs'
import { calcPrice, waitForUpdate } from '@pydantic/genai-prices'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type PriceTable, readPriceTable } from './price-table.ts'
import { PriceBook, priceAt } from './prices.ts'

const file = new URL('../../data/prices.json', import.meta.url)
const list = readPriceTable(JSON.parse(readFileSync(file, 'utf8')), 'prices.json')
const book = new PriceBook(null, () => list)
const NOW = Date.UTC(2026, 10, 15, 12)
const MILLION = { inputTokens: 1_000_000, outputTokens: 0 }

const own = (models: object): PriceTable => readPriceTable({ models }, 'own.json')

describe('the list prices', () => {
  test('are dated and name their source', () => {
    expect(list.date).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    expect(list.source).toContain('genai-prices')
  })

  test('are what the package that they come from computes, for every model, size and time', async () => {
    const providers = (await waitForUpdate()) ?? []
    const known = new Set(list.providers.map(({ id }) => id))
    // What we have measured ourselves is not what the package says.
    const ours = /^claude-(sonnet-5-5|haiku-5-5|fable-5-2)/
    const models = providers
      .filter(({ id }) => known.has(id))
      .flatMap((provider) => provider.models.map((model) => ({ provider: provider.id, name: model.id })))
      .filter(({ name }) => !ours.test(name))
    expect(models.length).toBeGreaterThan(1000)
    const tokens = fc.integer({ min: 0, max: 300_000 })
    fc.assert(
      fc.property(
        fc.constantFrom(...models),
        fc.tuple(tokens, tokens, tokens, tokens, tokens),
        fc.integer({ min: Date.UTC(2025, 0, 1), max: Date.UTC(2026, 11, 31) }),
        ({ provider, name }, [fresh, read, write, hour, output], at) => {
          const inputTokens = fresh + read + write
          const hourTokens = Math.min(hour, write)
          const truth = calcPrice(
            {
              input_tokens: inputTokens,
              cache_read_tokens: read,
              cache_write_tokens: write,
              cache_write_1h_tokens: hourTokens,
              output_tokens: output,
            },
            name,
            { providerId: provider, timestamp: new Date(at) },
          )
          const ratesOfPackage = truth?.model_price ?? {}
          if (ratesOfPackage.input_mtok === undefined || ratesOfPackage.output_mtok === undefined) return
          // The package adds what a request costs besides its tokens, which no agent reports.
          if (ratesOfPackage.requests_kcount !== undefined) return
          const usage = { inputTokens, outputTokens: output, cacheReadTokens: read, cacheCreationTokens: write }
          const price = book.priceOf(`${provider}/${name}`, { ...usage, cacheCreation1hTokens: hourTokens }, at)
          expect(price).toBeCloseTo(truth?.total_price ?? Number.NaN, 9)
        },
      ),
      { numRuns: 3000 },
    )
  })

  test.each([
    ['claude-opus-5-5', 4],
    ['anthropic/claude-opus-5-5', 4],
    ['claude-opus-5-5[1m]', 4],
    ['claude-sonnet-4-5-20250929', 6],
    ['claude-sonnet-4-5@20250929', 6],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 3.3],
    ['gpt-5.5-codex', 10],
    ['openai/gpt-6-sol', 4],
    ['openrouter/anthropic/claude-opus-5', 5],
    ['some-gateway/gpt-6-sol', 4],
    ['qwen3.7-max', 1.25],
    ['kimi-k3', 3],
    ['glm-5.3', 1.4],
    ['GLM-5.3', 1.4],
  ])('a million tokens into %s cost $%d', (model, dollars) => {
    expect(book.priceOf(model, MILLION, NOW)).toBeCloseTo(dollars, 9)
  })

  test.each(['scripted-model', 'gpt-99', 'ollama/gpt-5.5', '', 'unknown', 'anthropic/', '/'])(
    '%j has no price',
    (model) => {
      expect(book.priceOf(model, MILLION, NOW)).toBeNull()
    },
  )

  // `claude -p --output-format json` of 2.1.325 on a scripted server that reports these tokens.
  test.each([
    ['claude-haiku-5-5', { inputTokens: 1000, outputTokens: 0 }, 0.0001],
    ['claude-haiku-5-5', { inputTokens: 1, outputTokens: 1000 }, 0.0005001],
    ['claude-haiku-5-5', { inputTokens: 250_000, outputTokens: 100_000 }, 0.375],
    ['claude-sonnet-5-5', { inputTokens: 1000, outputTokens: 0, cacheReadTokens: 1000 }, 0.0001],
    ['claude-sonnet-5-5', { inputTokens: 1000, outputTokens: 0, cacheCreationTokens: 1000 }, 0.0025],
    ['claude-fable-5-2', { inputTokens: 250_000, outputTokens: 100_000 }, 6],
  ])('%s charges for %j what the CLI says', (model, usage, dollars) => {
    expect(book.priceOf(model, usage, NOW)).toBeCloseTo(dollars, 10)
  })

  test('a price has its time', () => {
    const long = { inputTokens: 300_000, outputTokens: 0 }
    expect(book.priceOf('claude-opus-4-6', long, Date.UTC(2026, 2, 12, 23, 59))).toBeCloseTo(3, 9)
    expect(book.priceOf('claude-opus-4-6', long, Date.UTC(2026, 2, 13))).toBeCloseTo(1.5, 9)
  })
})

describe('prices of the user', () => {
  test('win over declared ones, which win over the list', () => {
    const mine = new PriceBook(own({ 'gpt-6-*': { input: 1, output: 2 } }), () => list)
    const declared = { input: 7, output: 8 }
    expect(mine.priceOf('openai/gpt-6-sol', MILLION, NOW, declared)).toBe(1)
    expect(book.priceOf('openai/gpt-6-sol', MILLION, NOW, declared)).toBe(7)
    expect(mine.priceOf('gpt-5.5', { inputTokens: 1000, outputTokens: 0 }, NOW)).toBeCloseTo(0.005, 9)
  })

  test('a model that costs nothing costs nothing, which is not the same as unknown', () => {
    const mine = new PriceBook(own({ 'ollama/*': { input: 0, output: 0 } }), () => list)
    expect(mine.priceOf('ollama/llama4', MILLION, NOW)).toBe(0)
  })

  test('the list is not read for a model of theirs', () => {
    const unread = () => {
      throw new Error('was read')
    }
    const mine = new PriceBook(own({ mine: { input: 3, output: 3 } }), unread)
    expect(mine.priceOf('mine', MILLION, NOW)).toBe(3)
  })

  test.each([
    [null, 'must hold a JSON object'],
    [{}, '"models" must be an object'],
    [{ models: { x: 3 } }, 'prices of "x" must be an object'],
    [{ models: { x: { input: 1 } } }, '"output" of "x" must be a number'],
    [{ models: { x: { input: -1, output: 1 } } }, '"input" of "x" must be a number'],
    [{ models: { x: { input: 1, output: 1, cached: 2 } } }, 'unknown field "cached"'],
    [{ models: { x: { input: 1, output: 1, from: 'May' } } }, '"from" of "x" must be a day'],
    [{ models: { x: { input: 1, output: 1, hours: ['1', '2'] } } }, '"hours" of "x" must be two times'],
    [{ models: { '/(/': { input: 1, output: 1 } } }, 'is not a regular expression'],
    [{ models: { ' ': { input: 1, output: 1 } } }, 'a model has no name'],
  ])('%j is refused with its reason', (value, reason) => {
    expect(() => readPriceTable(value, 'own.json')).toThrow(reason)
  })
})

test('without a rate of their own, cached and thinking tokens cost what the others do', () => {
  const usage = { inputTokens: 100, cacheReadTokens: 30, cacheCreationTokens: 20, outputTokens: 10, thinkingTokens: 4 }
  expect(priceAt({ input: 1e6, output: 1e6 }, usage)).toBe(110)
  expect(priceAt({ input: 1e6, output: 1e6, reasoning: 2e6, cacheRead: 0 }, usage)).toBe(84)
})
