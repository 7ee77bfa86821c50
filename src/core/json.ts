/** Typed reading of native records, which are `unknown` until proven otherwise. */
export type JsonRecord = Record<string, unknown>

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The line as a JSON object, or null when it is anything else. Never throws. */
export function parseRecord(line: string): JsonRecord | null {
  if (line.charCodeAt(0) !== 0x7b && !line.trimStart().startsWith('{')) return null
  // A piece of a document over many lines: an exception for each would cost more than all the rest.
  if (line.charCodeAt(line.length - 1) !== 0x7d && !line.trimEnd().endsWith('}')) return null
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

/** The records of a line that is a JSON list of nothing else, or null when it is anything else. Never throws. */
export function parseRecords(line: string): JsonRecord[] | null {
  try {
    const value: unknown = JSON.parse(line)
    return Array.isArray(value) && value.length > 0 && value.every(isRecord) ? value : null
  } catch {
    return null
  }
}

export function asRecord(value: unknown): JsonRecord | undefined {
  return isRecord(value) ? value : undefined
}

/** A time in text, in epoch milliseconds. */
export function asTime(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

export function asRecords(value: unknown): JsonRecord[] {
  return asArray(value).filter(isRecord)
}

/** Text of a value that may be a string, a list of `{text}` blocks, or anything else. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) {
    return value
      .map((part) => (isRecord(part) ? (asString(part.text) ?? '') : textOf(part)))
      .filter((part) => part !== '')
      .join('\n')
  }
  return JSON.stringify(value)
}
