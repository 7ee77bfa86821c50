/** As much of JSON Schema as tool declarations and output schemas of the CLIs use. */
export type JsonSchema = {
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  enum?: unknown[]
  const?: unknown
  default?: unknown
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  $ref?: string
  $defs?: Record<string, JsonSchema>
  definitions?: Record<string, JsonSchema>
  minItems?: number
  minimum?: number
  exclusiveMinimum?: number
  minLength?: number
  format?: string
  pattern?: string
}

/** A value for a property by its name; `undefined` leaves it to the schema. */
export type Hint = (key: string, schema: JsonSchema) => unknown

const noHint: Hint = () => undefined

/** Gemini writes types in capitals, and nullable types are lists. */
const typeOf = (schema: JsonSchema): string => {
  const type = Array.isArray(schema.type) ? (schema.type.find((name) => name !== 'null') ?? 'null') : schema.type
  if (type) return type.toLowerCase()
  if (schema.properties) return 'object'
  return schema.items ? 'array' : 'string'
}

const deref = (schema: JsonSchema, root: JsonSchema): JsonSchema => {
  const name = schema.$ref?.split('/').at(-1)
  if (name) return root.$defs?.[name] ?? root.definitions?.[name] ?? {}
  const chosen = schema.anyOf?.find((option) => option.type !== 'null') ?? schema.oneOf?.[0]
  if (chosen) return deref(chosen, root)
  return schema.allOf ? Object.assign({}, schema, ...schema.allOf.map((part) => deref(part, root))) : schema
}

const numberFor = (key: string, schema: JsonSchema): number => {
  // A required timeout of zero would end the tool at once.
  const wish = /timeout|duration/i.test(key) ? (/ms$/i.test(key) ? 60_000 : 60) : 1
  const least = schema.minimum ?? (schema.exclusiveMinimum === undefined ? wish : schema.exclusiveMinimum + 1)
  return Math.max(wish, least)
}

const stringFor = (schema: JsonSchema): string => {
  if (schema.format === 'date') return '2026-01-01'
  if (schema.format === 'date-time') return '2026-01-01T00:00:00Z'
  if (schema.format === 'uri') return 'http://127.0.0.1/'
  return 'scripted'.padEnd(schema.minLength ?? 0, '.')
}

type Choice = { hint?: Hint; optional?: boolean }

/**
 * A value that fits the schema. Hints win where they answer; of the optional properties only hinted ones are filled,
 * unless `optional` asks for all (structured output: strict schemas want every property).
 */
export const fillSchema = (schema: JsonSchema, { hint = noHint, optional = false }: Choice = {}): unknown => {
  const fill = (given: JsonSchema, key: string, depth: number): unknown => {
    const node = deref(given, schema)
    const hinted = key === '' ? undefined : hint(key, node)
    if (hinted !== undefined) return hinted
    if (node.const !== undefined) return node.const
    if (node.enum?.length) return node.enum.find((value) => value !== null)
    if (node.default !== undefined && node.default !== null) return node.default
    const type = typeOf(node)
    if (type === 'object') return fillObject(node, depth)
    if (type === 'array') {
      const count = Math.max(node.minItems ?? 0, depth < 6 ? 1 : 0)
      return Array.from({ length: count }, () => fill(node.items ?? {}, '', depth + 1))
    }
    if (type === 'integer' || type === 'number') return numberFor(key, node)
    if (type === 'boolean') return optional
    return type === 'null' ? null : stringFor(node)
  }
  const fillObject = (node: JsonSchema, depth: number): Record<string, unknown> => {
    const wanted = Object.entries(node.properties ?? {}).flatMap(([key, property]) => {
      const needed = node.required?.includes(key) || (optional && depth < 6)
      const value = needed ? fill(property, key, depth + 1) : hint(key, deref(property, schema))
      return value === undefined ? [] : [[key, value] as const]
    })
    return Object.fromEntries(wanted)
  }
  return fill(schema, '', 0)
}
