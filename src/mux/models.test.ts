import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { bareAdapter, model } from '../../test/support/adapters.ts'
import { createClientIn } from './client.ts'
import { recallModels } from './model-cache.ts'

const configDir = mkdtempSync(join(tmpdir(), 'amux-models-'))
afterAll(() => rmSync(configDir, { recursive: true, force: true }))
const { models, adapters } = createClientIn({ HOME: configDir }, { configDir })

describe('the models of a built-in agent', () => {
  test('have the prices of the list', () => {
    expect(models.model('claude', 'opus')).toMatchObject({
      modelId: 'claude-opus-5-5',
      inputPricePerMillion: 4,
      cachedInputPricePerMillion: 0.2,
      outputPricePerMillion: 20,
    })
    expect(models.estimateCost('claude', 'opus', 1_000_000, 100_000)).toBeCloseTo(6, 9)
    expect(models.estimateCost('claude', 'claude-nothing-9', 1, 1)).toBeNull()
  })

  test('one is the default', () => {
    expect(models.defaultModel('claude')?.modelId).toBe('claude-opus-5-5')
    expect(models.catalog('claude').filter(({ isDefault }) => isDefault)).toHaveLength(1)
    expect(models.catalog().length).toBeGreaterThan(models.catalog('claude').length)
  })

  test.each([
    ['claude', 'claude-opus-5-5', 'ok', 'claude-opus-5-5'],
    ['claude', 'sonnet', 'alias', 'claude-sonnet-5-5'],
    ['opencode', 'claude-sonnet-5', 'alias', 'anthropic/claude-sonnet-5'],
    ['codex', 'gpt-5.5', 'deprecated', 'gpt-5.5'],
  ])('%s %s is %s', (agent, name, status, resolvedModelId) => {
    expect(models.validate(agent, name)).toMatchObject({ valid: true, status, resolvedModelId })
  })

  test('a mistyped one is unknown, and those near to it are named', () => {
    const { valid, status, suggestions } = models.validate('claude', 'claude-opos-5-5')
    expect({ valid, status }).toEqual({ valid: false, status: 'unknown' })
    expect(suggestions?.[0]).toBe('claude-opus-5-5')
  })

  test('an unknown agent is an error with a suggestion', () => {
    expect(() => models.models('cluade')).toThrow('Unknown agent "cluade"')
  })
})

describe('the models of an adapter of somebody else', () => {
  const twins = ['a/twin', 'b/twin'].map((id) => model('third', id, { lastUpdated: '2026-11-15' }))
  const priced = model('third', 'own', { inputPricePerMillion: 7, outputPricePerMillion: 9 })
  const discovered = model('third', 'found')
  adapters.register(bareAdapter('third', {}, { models: [...twins, priced], discoverModels: async () => [discovered] }))

  test('a name that fits two is ambiguous', () => {
    expect(models.validate('third', 'twin')).toMatchObject({ status: 'ambiguous', suggestions: ['a/twin', 'b/twin'] })
    expect(models.model('third', 'twin')).toBeNull()
  })

  test('the prices that it declares count, but those of the user more', () => {
    expect(models.estimateCost('third', 'own', 1_000_000, 0)).toBe(7)
    writeFileSync(join(configDir, 'prices.json'), '{"models": {"own": {"input": 1, "output": 1}}}')
    expect(models.estimateCost('third', 'own', 1_000_000, 0)).toBe(1)
    writeFileSync(join(configDir, 'prices.json'), '{"models": {"own": ')
    expect(() => models.estimateCost('third', 'own', 1, 0)).toThrow('is not valid JSON')
    rmSync(join(configDir, 'prices.json'))
  })

  test('a refresh asks it', async () => {
    expect(models.lastUpdated('third')).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    expect(await models.refresh('third')).toMatchObject({ source: 'remote', models: [{ modelId: 'found' }] })
    expect(models.models('third').map(({ modelId }) => modelId)).toEqual(['found'])
    expect(models.lastUpdated('third')).toMatch(/T/)
  })

  test('what it reported counts for a week, in other processes too', () => {
    const another = createClientIn({ HOME: configDir }, { configDir })
    another.adapters.register(bareAdapter('third', {}, { models: twins }))
    expect(another.models.models('third').map(({ modelId }) => modelId)).toEqual(['found'])
    const dataDir = join(configDir, 'data')
    expect(recallModels(dataDir, 'third', Date.now() + 8 * 24 * 3600_000)).toBeNull()
    writeFileSync(join(dataDir, 'models', 'third.json'), '{"at": 1, "models"')
    expect(recallModels(dataDir, 'third', 1)).toBeNull()
  })
})
