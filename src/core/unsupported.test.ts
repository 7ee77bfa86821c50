import { expect, test } from 'vitest'
import { CapabilityError } from '../contract/errors.ts'
import { refuseOptions, requireProtocol } from './unsupported.ts'

test('the first option that is given and unsupported is refused, with its hint', () => {
  const refuse = (options: object) =>
    refuseOptions('codex', { prompt: '', ...options }, { skills: '', thinkingBudgetTokens: 'Use thinkingEffort.' })
  expect(() => refuse({ thinkingBudgetTokens: 0 })).toThrow(
    expect.objectContaining({ capability: 'thinkingBudgetTokens', hint: 'Use thinkingEffort.' }),
  )
  expect(() => refuse({ skills: ['x'] })).toThrow(CapabilityError)
  expect(() => refuse({ skills: [], thinkingBudgetTokens: undefined })).not.toThrow()
})

test('an endpoint must speak what the agent speaks, or not say', () => {
  const endpoint = { baseUrl: 'http://l', apiKey: 'k' }
  expect(() => requireProtocol('codex', { ...endpoint, protocol: 'anthropic' }, 'openai-responses')).toThrow(
    expect.objectContaining({ hint: 'The endpoint must speak openai-responses.' }),
  )
  expect(() => requireProtocol('codex', { ...endpoint, protocol: 'gemini' }, 'gemini')).not.toThrow()
  expect(() => requireProtocol('codex', endpoint, 'gemini')).not.toThrow()
})
