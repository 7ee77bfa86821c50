import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { asRecord, isRecord } from '../../core/json.ts'
import { openApiDocument } from './openapi.ts'

const document = openApiDocument('0.0.0')
const schemas = asRecord(asRecord(document.components)?.schemas) ?? {}

/** Every schema of the document, with the way to it. */
function* schemasIn(value: unknown, path: string): Generator<[string, Record<string, unknown>]> {
  if (Array.isArray(value)) {
    for (const [i, one] of value.entries()) yield* schemasIn(one, `${path}/${i}`)
  } else if (isRecord(value)) {
    yield [path, value]
    for (const [key, one] of Object.entries(value)) yield* schemasIn(one, `${path}/${key}`)
  }
}

describe('the document of the API', () => {
  test('has no shape without its fields', () => {
    const empty = [...schemasIn(document, '')].filter(
      ([, { type, properties, additionalProperties }]) =>
        type === 'object' && additionalProperties === undefined && Object.keys(asRecord(properties) ?? {}).length === 0,
    )
    expect(empty.map(([path]) => path)).toEqual([])
  })

  test('refers to nothing that is not there', () => {
    const references = [...schemasIn(document, '')].flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref] : []))
    expect(references.length).toBeGreaterThan(50)
    const known = Object.keys(schemas).map((name) => `#/components/schemas/${name}`)
    expect(references.filter((one) => !known.includes(one))).toEqual([])
  })

  test('names every event, distinguished by its type', () => {
    const events = asRecord(schemas.AgentEvent)
    const mapping = asRecord(asRecord(events?.discriminator)?.mapping) ?? {}
    const source = readFileSync(new URL('../../contract/events.ts', import.meta.url), 'utf8')
    const declared = [...source.matchAll(/= Event<\s*'(\w+)'/g)].map(([, type = '']) => type)
    expect(declared.length).toBeGreaterThan(40)
    expect(Object.keys(mapping).sort()).toEqual(declared.sort())
  })

  test('is of the types as they are now', async () => {
    const script: string = new URL('../../../scripts/api-shapes.mjs', import.meta.url).href
    const { apiShapes } = await import(script)
    const written = readFileSync(new URL('../../../data/api-shapes.json', import.meta.url), 'utf8')
    expect(apiShapes() === written, 'run `npm run api-shapes` after a change of the types').toBe(true)
  }, 60_000)
})
