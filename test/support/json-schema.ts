import { z } from 'zod'
import { isRecord, type JsonRecord } from '../../src/core/json.ts'

/**
 * What a schema of an OpenAPI document says against a value; empty when it fits. Strict: a field that the schema does not
 * name is a fault, or the document could never be found to lack one.
 */
export function faultsOf(document: JsonRecord, schema: unknown, value: unknown): string[] {
  const components = isRecord(document.components) ? document.components.schemas : {}
  const { error } = compile(components, schema).safeParse(value)
  return (error?.issues ?? []).map(
    ({ path, message, ...more }) => `${path.join('.')}: ${message} ${JSON.stringify(more)}`,
  )
}

/** Throws for what is not a schema, and for a reference to nothing. */
export function compile(components: unknown, schema: unknown): z.ZodType {
  const closed = forZod(schema)
  return z.fromJSONSchema({ ...(isRecord(closed) ? closed : {}), $defs: record(forZod(components)) })
}

function record(value: unknown): Record<string, JsonRecord> {
  return isRecord(value) ? Object.fromEntries(Object.entries(value).filter(isNamed)) : {}
}

function isNamed(entry: [string, unknown]): entry is [string, JsonRecord] {
  return isRecord(entry[1])
}

function forZod(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(forZod)
  if (!isRecord(value)) return value
  const { discriminator: _discriminator, ...rest } = value
  const entries = Object.entries(rest).map(([key, one]) => [
    key,
    key === '$ref' ? String(one).replace('#/components/schemas/', '#/$defs/') : forZod(one),
  ])
  const isOpen = rest.type === 'object' && isRecord(rest.properties) && rest.additionalProperties === undefined
  return { ...Object.fromEntries(entries), ...(isOpen ? { additionalProperties: false } : {}) }
}
