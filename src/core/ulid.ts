import { randomFillSync } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/

export function isUlid(value: string): boolean {
  return ULID.test(value)
}

/** A sortable id: 48 bits of time, 80 random bits, Crockford base 32. */
export function ulid(timeMs: number): string {
  let id = ''
  let time = timeMs
  for (let i = 0; i < 10; i++) {
    id = ALPHABET.charAt(time % 32) + id
    time = Math.floor(time / 32)
  }
  for (const byte of randomFillSync(new Uint8Array(16))) id += ALPHABET.charAt(byte & 31)
  return id
}
