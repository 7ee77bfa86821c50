import { isDeepStrictEqual } from 'node:util'
import { isRecord, type JsonRecord } from './json.ts'

/** Where in the value, and what is wrong there. */
export interface SchemaIssue {
  path: readonly string[]
  message: string
}

type Schema = JsonRecord | boolean
interface Place {
  root: Schema
  path: readonly string[]
  /** The schemas that this very value is being held against: one that leads back to itself says nothing more. */
  within: ReadonlySet<unknown>
}

const NONE: ReadonlySet<unknown> = new Set()

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isRecord,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
}

const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': (text) => /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/i.test(text) && isDay(text),
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && isDay(text),
  time: (text) => /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/i.test(text),
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  uri: (text) => URL.canParse(text),
  uuid: (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
  ipv4: (text) => /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(?!$)|$)){4}$/.test(text),
  ipv6: (text) => /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`),
}

/** `2026-02-30` would be a day of March. */
function isDay(text: string): boolean {
  const day = text.slice(0, 10)
  const time = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}

/** The keywords that hold schemas, and how. */
const BELOW: readonly (readonly ['one' | 'list' | 'map', readonly string[]])[] = [
  ['one', ['not', 'if', 'then', 'else', 'items', 'contains']],
  ['one', ['additionalProperties', 'additionalItems', 'propertyNames']],
  ['list', ['allOf', 'anyOf', 'oneOf', 'prefixItems']],
  ['map', ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']],
]
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const
const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'] as const
const UNKNOWN = ['unevaluatedProperties', 'unevaluatedItems', '$dynamicRef', '$recursiveRef', 'dependencies'] as const

/** Why nothing can be checked with this JSON schema; null when it can. */
export function schemaFault(schema: unknown, root = schema, at = ''): string | null {
  if (typeof schema === 'boolean') return null
  const where = at === '' ? '' : ` (at ${at})`
  if (!isRecord(schema)) return `a schema is an object${where}`
  const types = [schema.type ?? []].flat()
  const wrongType = types.find((type) => typeof type !== 'string' || !Object.hasOwn(TYPES, type))
  if (wrongType !== undefined) return `there is no type ${JSON.stringify(wrongType)}${where}`
  const unknown = UNKNOWN.find((name) => name in schema)
  if (unknown) return `${unknown} is not supported${where}`
  const wrongNumber = [...NUMBERS, ...COUNTS].find((name) => name in schema && typeof schema[name] !== 'number')
  if (wrongNumber) return `${wrongNumber} is a number${where}`
  if ('enum' in schema && !Array.isArray(schema.enum)) return `enum is a list${where}`
  if ('required' in schema && !isNames(schema.required)) return `required is a list of names${where}`
  const { dependentRequired = {}, patternProperties = {}, pattern } = schema
  if (!isRecord(dependentRequired) || !Object.values(dependentRequired).every(isNames)) {
    return `dependentRequired names lists of names${where}`
  }
  const patterns = [pattern ?? [], isRecord(patternProperties) ? Object.keys(patternProperties) : []].flat()
  const wrongPattern = patterns.find((one) => !isPattern(one))
  if (wrongPattern !== undefined) return `${JSON.stringify(wrongPattern)} is not a pattern${where}`
  if ('$ref' in schema && target(root, schema.$ref) === undefined) {
    return `$ref ${JSON.stringify(schema.$ref)} leads nowhere in the schema itself${where}`
  }
  return faultBelow(schema, root, at)
}

function faultBelow(schema: JsonRecord, root: unknown, at: string): string | null {
  for (const [below, name] of BELOW.flatMap(([how, names]) => names.map((one) => [how, one] as const))) {
    const value = schema[name]
    if (value === undefined) continue
    const here = `${at}/${name}`
    // Before 2020-12 a list of items was written so.
    const isList = below === 'list' || (name === 'items' && Array.isArray(value))
    if (isList && !Array.isArray(value)) return `${name} is a list (at ${here})`
    if (below === 'map' && !isRecord(value)) return `${name} is an object (at ${here})`
    const parts = isList || below === 'map' ? Object.entries(Object(value)) : [['', value] as const]
    for (const [key, part] of parts) {
      const fault = schemaFault(part, root, key === '' ? here : `${here}/${key}`)
      if (fault !== null) return fault
    }
  }
  return null
}

const isNames = (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === 'string')

function isPattern(value: unknown): boolean {
  try {
    new RegExp(String(value), 'u')
    return typeof value === 'string'
  } catch {
    return false
  }
}

/** What a reference within a schema means: `#`, `#/$defs/name`. */
function target(root: unknown, ref: unknown): Schema | undefined {
  if (typeof ref !== 'string' || !/^#(\/|$)/.test(ref)) return undefined
  const names = ref.split('/').slice(1)
  const found = names.reduce<unknown>((at, name) => {
    const key = decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~')
    return (isRecord(at) || Array.isArray(at)) && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined
  }, root)
  return isSchema(found) ? found : undefined
}

const isSchema = (value: unknown): value is Schema => isRecord(value) || typeof value === 'boolean'

/** What is wrong with a value, by a JSON schema without a fault. */
export function jsonIssues(schema: Schema, value: unknown): SchemaIssue[] {
  return issuesOf(schema, value, { root: schema, path: [], within: NONE })
}

function issuesOf(schema: unknown, value: unknown, place: Place): SchemaIssue[] {
  if (schema === false) return [{ path: place.path, message: 'must not be there' }]
  if (!isRecord(schema) || place.within.has(schema)) return []
  const types = [schema.type ?? []].flat().map(String)
  if (types.length > 0 && !types.some((type) => TYPES[type]?.(value))) {
    return [{ path: place.path, message: `must be ${types.join(' or ')}` }]
  }
  const issues = combined(schema, value, place)
  const add = (message: string | false | undefined) => message && issues.push({ path: place.path, message })
  if ('const' in schema) add(!isDeepStrictEqual(value, schema.const) && `must be ${JSON.stringify(schema.const)}`)
  if (Array.isArray(schema.enum)) {
    add(!schema.enum.some((one) => isDeepStrictEqual(one, value)) && `must be one of ${JSON.stringify(schema.enum)}`)
  }
  if (typeof value === 'number') for (const message of ofNumber(schema, value)) add(message)
  if (typeof value === 'string') for (const message of ofString(schema, value)) add(message)
  if (Array.isArray(value)) issues.push(...ofArray(schema, value, place))
  else if (isRecord(value)) issues.push(...ofObject(schema, value, place))
  return issues
}

/** The same value, by a schema within this one. */
const inside = (schema: JsonRecord, place: Place): Place => ({
  ...place,
  within: new Set([...place.within, schema]),
})

function combined(schema: JsonRecord, value: unknown, place: Place): SchemaIssue[] {
  const of = (part: unknown) => issuesOf(part, value, inside(schema, place))
  const list = (name: string): unknown[] => (Array.isArray(schema[name]) ? schema[name] : [])
  const issues = list('allOf').flatMap(of)
  if ('$ref' in schema) issues.push(...of(target(place.root, schema.$ref)))
  const wrong = (message: string) => issues.push({ path: place.path, message })
  if (Array.isArray(schema.anyOf) && !schema.anyOf.some((part) => of(part).length === 0)) wrong('fits none of anyOf')
  if (Array.isArray(schema.oneOf)) {
    const fitting = schema.oneOf.filter((part) => of(part).length === 0).length
    if (fitting !== 1) wrong(`fits ${fitting} of oneOf, not one`)
  }
  if ('not' in schema && of(schema.not).length === 0) wrong('fits what it must not')
  if ('if' in schema) issues.push(...of(of(schema.if).length === 0 ? schema.then : schema.else))
  return issues
}

type Messages = (string | false)[]
/** The number that a keyword gives, or one that forbids nothing. */
const limit = (schema: JsonRecord, name: string, none: number) =>
  typeof schema[name] === 'number' ? schema[name] : none

function ofNumber(schema: JsonRecord, value: number): Messages {
  const least = limit(schema, 'minimum', Number.NEGATIVE_INFINITY)
  const most = limit(schema, 'maximum', Number.POSITIVE_INFINITY)
  const above = limit(schema, 'exclusiveMinimum', Number.NEGATIVE_INFINITY)
  const below = limit(schema, 'exclusiveMaximum', Number.POSITIVE_INFINITY)
  const step = limit(schema, 'multipleOf', 0)
  const parts = value / step
  return [
    value < least && `must be at least ${least}`,
    value > most && `must be at most ${most}`,
    value <= above && `must be more than ${above}`,
    value >= below && `must be less than ${below}`,
    step > 0 && Math.abs(parts - Math.round(parts)) > 1e-9 && `must be a multiple of ${step}`,
  ]
}

function ofString(schema: JsonRecord, value: string): Messages {
  const { pattern, format } = schema
  const isFormat = typeof format === 'string' && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
  return [
    ...ofCount(schema, [...value].length, 'Length', 'characters'),
    typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value) && `must fit the pattern ${pattern}`,
    isFormat !== undefined && !isFormat(value) && `must be a ${format}`,
  ]
}

function ofCount(schema: JsonRecord, count: number, what: string, words: string): Messages {
  const least = limit(schema, `min${what}`, 0)
  const most = limit(schema, `max${what}`, Number.POSITIVE_INFINITY)
  return [count < least && `must have at least ${least} ${words}`, count > most && `must have at most ${most} ${words}`]
}

function ofArray(schema: JsonRecord, value: readonly unknown[], place: Place): SchemaIssue[] {
  const { items, prefixItems, contains, uniqueItems } = schema
  const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
  const rest = Array.isArray(items) ? schema.additionalItems : items
  const of = (part: unknown, one: unknown, index: number) =>
    issuesOf(part, one, { ...place, path: [...place.path, String(index)], within: NONE })
  const issues = value.flatMap((one, index) => of(index < first.length ? first[index] : rest, one, index))
  const found = contains === undefined ? 0 : value.filter((one, index) => of(contains, one, index).length === 0).length
  const messages: Messages = [
    ...ofCount(schema, value.length, 'Items', 'items'),
    uniqueItems === true &&
      value.some((one, at) => value.slice(0, at).some((other) => isDeepStrictEqual(one, other))) &&
      'must not have an item twice',
    contains !== undefined && found < limit(schema, 'minContains', 1) && 'has too few of what it must contain',
    contains !== undefined &&
      found > limit(schema, 'maxContains', Number.POSITIVE_INFINITY) &&
      'has too many of what it must contain',
  ]
  return [...issues, ...asIssues(messages, place)]
}

function ofObject(schema: JsonRecord, value: JsonRecord, place: Place): SchemaIssue[] {
  const part = (name: string): JsonRecord => (isRecord(schema[name]) ? schema[name] : {})
  const has = (name: string) => Object.hasOwn(value, name)
  const properties = part('properties')
  const patterns = Object.entries(part('patternProperties')).map(([text, one]) => [new RegExp(text, 'u'), one] as const)
  const issues = Object.entries(value).flatMap(([name, one]) => {
    const of = (wanted: unknown) => issuesOf(wanted, one, { ...place, path: [...place.path, name], within: NONE })
    const named = Object.hasOwn(properties, name) ? [properties[name]] : []
    const fitting = [...named, ...patterns.filter(([pattern]) => pattern.test(name)).map(([, wanted]) => wanted)]
    return fitting.length > 0 ? fitting.flatMap(of) : of(schema.additionalProperties)
  })
  const needed = [
    ...namesIn(schema.required),
    ...Object.entries(part('dependentRequired')).flatMap(([name, names]) => (has(name) ? namesIn(names) : [])),
  ]
  for (const name of needed) if (!has(name)) issues.push({ path: [...place.path, name], message: 'is missing' })
  for (const [name, one] of Object.entries(part('dependentSchemas'))) {
    if (has(name)) issues.push(...issuesOf(one, value, inside(schema, place)))
  }
  const ofName = (name: string) => issuesOf(schema.propertyNames, name, { ...place, within: NONE })
  const wrongNames = Object.keys(value).filter((name) => ofName(name).length > 0)
  const messages = wrongNames.map((name) => `must not have a property ${JSON.stringify(name)}`)
  return [
    ...issues,
    ...asIssues([...messages, ...ofCount(schema, Object.keys(value).length, 'Properties', 'properties')], place),
  ]
}

const namesIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

function asIssues(messages: Messages, { path }: Place): SchemaIssue[] {
  return messages.filter((message) => message !== false).map((message) => ({ path, message }))
}
