import { asNumber, isRecord } from '../core/json.ts'

/** Something in our index cannot be as we have written it. */
export class IndexDamage extends Error {}

/** SQLite's codes for what is not a fault of the file: another process holds it, no room, no right to it. */
const NOT_DAMAGE = new Set([3, 5, 6, 8, 9, 13, 14, 15, 23])

/** Whether the index itself is at fault, so that a new one will do. Damage has many faces, so all else is taken for it. */
export function isDamage(error: unknown): boolean {
  if (error instanceof IndexDamage) return true
  const code = isRecord(error) ? asNumber(error.errcode) : undefined
  return code !== undefined && !NOT_DAMAGE.has(code & 0xff)
}
