import { configError } from './config-error.ts'
import { isTable, type KeyPath } from './values.ts'

/** A value as TOML on one line; tables become inline tables. */
export function tomlLiteral(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'number') return numberLiteral(value)
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return `[${value.map(tomlLiteral).join(', ')}]`
  if (isTable(value)) {
    const pairs = definedEntries(value).map(([key, item]) => `${tomlKey([key])} = ${tomlLiteral(item)}`)
    return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`
  }
  throw configError(`TOML has no form for ${value === null ? 'null' : typeof value}`, 'Leave that value out.')
}

export function tomlKey(keyPath: KeyPath): string {
  return keyPath.map((key) => (/^[A-Za-z0-9_-]+$/.test(key) ? key : quote(key))).join('.')
}

export function definedEntries(table: Record<string, unknown>): [string, unknown][] {
  return Object.entries(table).filter(([, value]) => value !== undefined)
}

// JSON's escapes are all TOML's too, but TOML also forbids a bare DEL, and has no form for half a surrogate pair.
function quote(text: string): string {
  return JSON.stringify(text.replace(/\p{Surrogate}/gu, '\ufffd')).replaceAll('\u007f', '\\u007F')
}

function numberLiteral(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  if (Object.is(value, -0)) return '-0.0'
  const digits = String(value)
  // Past 2^53 the digits are no longer exact, and past 2^63 no TOML reader takes them as an integer.
  return Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(digits) ? `${digits}.0` : digits
}
