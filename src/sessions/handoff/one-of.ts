import { asString, type JsonRecord } from '../../core/json.ts'

/** The first of these fields that holds a text. */
export function oneOf(record: JsonRecord, fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const value = asString(record[field])?.trim()
    if (value) return value
  }
  return undefined
}
