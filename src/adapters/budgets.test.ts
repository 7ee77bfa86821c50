import { expect, test } from 'vitest'
import { CapabilityError } from '../contract/errors.ts'
import { gateCapabilities } from '../core/gate-capabilities.ts'
import { builtInAdapters } from './index.ts'

const FORMS = ['live', 'one-shot'] as const

const refusal = (work: () => void): unknown => {
  try {
    work()
    return null
  } catch (error) {
    return error
  }
}

test.each(builtInAdapters.map(({ manifest }) => manifest))('$agent keeps a budget, or refuses it', (manifest) => {
  const { capabilities, models, agent } = manifest
  const gate = (more: object) =>
    refusal(() => gateCapabilities({ agent, prompt: '', maxCostUsd: 1, ...more }, capabilities, models))
  const isUntold = capabilities.unreported?.includes('usage') === true
  if (isUntold) expect(capabilities.supportsBudget).toBe(false)
  if (capabilities.supportsBudget === false) {
    expect(gate({})).toBeInstanceOf(CapabilityError)
    expect(gate({})).toMatchObject({ capability: 'budget', hint: expect.stringContaining('timeout') })
    return
  }
  expect(gate({})).toBeNull()
  for (const form of FORMS) {
    if (capabilities.usageAfterTurn?.includes(form) !== true) continue
    expect(gate({ nonInteractive: form === 'one-shot', noSession: true })).toBeInstanceOf(CapabilityError)
  }
})
