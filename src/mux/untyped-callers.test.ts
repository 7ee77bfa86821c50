import { expect, test } from 'vitest'
import { ValidationError } from '../contract/errors.ts'
import { createClient } from './client.ts'

/** What a program without types may hand over. */
const NO_NAMES: [unknown][] = [[null], [undefined], [5], [[]], [{}]]

test.each([[null], [5], ['claude'], [[]]])('createClient(%j) is refused as bad options', (options) => {
  expect(() => createClient(JSON.parse(JSON.stringify(options)))).toThrow(ValidationError)
})

test.each(NO_NAMES)('%j is no agent, wherever one is named', async (name) => {
  const mux = createClient()
  const agent = name as string
  const unknown = { code: 'UNKNOWN_AGENT' }
  expect(() => mux.adapters.capabilities(agent)).toThrow(expect.objectContaining(unknown))
  expect(() => mux.models.models(agent)).toThrow(expect.objectContaining(unknown))
  expect(await mux.adapters.detect(agent)).toBeNull()
  await expect(mux.auth.check(agent)).rejects.toMatchObject(unknown)
})

test('detectHost takes the variables, or options that hold them', () => {
  const mux = createClient()
  const env = { CLAUDE_CODE: '1' }
  expect(mux.detectHost(env)).toMatchObject({ agent: 'claude' })
  expect(mux.detectHost({ env })).toMatchObject({ agent: 'claude' })
  expect(mux.detectHost({ env: {} })).toBeNull()
})
