import { expect, test } from 'vitest'
import * as z from 'zod'
import type { RunOptions } from '../src/contract/run-options.ts'
import { bareAdapter } from './support/adapters.ts'
import { testClient } from './support/client.ts'

const City = z.object({ city: z.string() })
const DRAFT = { $schema: 'https://json-schema.org/draft/2020-12/schema' }

// Claude Code 2.1.325 refuses a schema that names another dialect than draft 7, and Zod's name draft 2020-12.
test.each([
  ['a Standard Schema', City],
  ['a JSON schema', { ...DRAFT, type: 'object' }],
  ['a pair', { schema: City, jsonSchema: { ...DRAFT, type: 'object' } }],
])('an agent gets %s without the name of its dialect', async (_, outputSchema) => {
  const given: unknown[] = []
  const adapter = bareAdapter(
    'schema-agent',
    {},
    {
      buildSpawnArgs(options: RunOptions) {
        given.push(options.outputSchema)
        throw new Error('seen')
      },
    },
  )
  Object.assign(adapter.capabilities, { supportsStructuredOutput: true, supportsJsonMode: true })
  const mux = testClient([adapter])
  await mux.run({ agent: adapter.agent, prompt: 'x', outputSchema }).catch(() => null)
  expect(given[0]).toMatchObject({ type: 'object' })
  expect(given[0]).not.toHaveProperty('$schema')
})
