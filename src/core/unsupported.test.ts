import { expect, test } from 'vitest'
import { CapabilityError } from '../contract/errors.ts'
import { refuseOptions } from './unsupported.ts'

test('the first option that is given and unsupported is refused, with its hint', () => {
  const refuse = (options: object) =>
    refuseOptions('codex', { prompt: '', ...options }, { skills: '', thinkingBudgetTokens: 'Use thinkingEffort.' })
  expect(() => refuse({ thinkingBudgetTokens: 0 })).toThrow(
    expect.objectContaining({ capability: 'thinkingBudgetTokens', hint: 'Use thinkingEffort.' }),
  )
  expect(() => refuse({ skills: ['x'] })).toThrow(CapabilityError)
  expect(() => refuse({ skills: [], thinkingBudgetTokens: undefined })).not.toThrow()
})
