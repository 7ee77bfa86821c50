import { usageError } from './command.ts'

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `30s`, `5m`, `1.5h`, `250ms`; a bare number is milliseconds. */
export function parseDuration(flag: string, value: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(value.trim())
  const unit = UNITS[match?.[2] ?? 'ms']
  if (!match || unit === undefined) {
    throw usageError(`${flag} must be a duration such as 30s, 5m, 1h or 1500 (milliseconds), not "${value}"`)
  }
  return Math.round(Number(match[1]) * unit)
}
