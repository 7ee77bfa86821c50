import { isRecord, type JsonRecord } from '../core/json.ts'

/** Keys from the root down. A key is one segment even when it holds a dot. */
export type KeyPath = readonly string[]

/** A table of named values; dates are objects too, but no tables. */
export function isTable(value: unknown): value is JsonRecord {
  return isRecord(value) && !(value instanceof Date)
}

export function valueAt(value: unknown, keyPath: KeyPath): unknown {
  let current = value
  for (const key of keyPath) {
    if (!isTable(current) || !Object.hasOwn(current, key)) return undefined
    current = current[key]
  }
  return current
}

/** The same data with `value` there. What is in the way and is not a table is replaced. */
export function withValue(data: JsonRecord, keyPath: KeyPath, value: unknown): JsonRecord {
  const [key, ...rest] = keyPath
  if (key === undefined) return isTable(value) ? value : data
  const child = Object.hasOwn(data, key) ? data[key] : undefined
  return { ...data, [key]: rest.length === 0 ? value : withValue(isTable(child) ? child : {}, rest, value) }
}

/** The same data without that key, and without the tables above it that are left empty. */
export function withoutValue(data: JsonRecord, keyPath: KeyPath): JsonRecord {
  const [key, ...rest] = keyPath
  if (key === undefined || !Object.hasOwn(data, key)) return data
  const { [key]: child, ...others } = data
  if (rest.length === 0 || !isTable(child)) return rest.length === 0 ? others : data
  const left = withoutValue(child, rest)
  return Object.keys(left).length === 0 ? others : { ...data, [key]: left }
}

/** Tables recurse; scalars and arrays of `over` replace; undefined is ignored. */
export function mergeValues(base: JsonRecord, over: JsonRecord): JsonRecord {
  const result = { ...base }
  for (const [key, value] of Object.entries(over)) {
    // Assigning it would change the prototype.
    if (value === undefined || key === '__proto__') continue
    const below = Object.hasOwn(result, key) ? result[key] : undefined
    result[key] = isTable(value) ? mergeValues(isTable(below) ? below : {}, value) : value
  }
  return result
}
