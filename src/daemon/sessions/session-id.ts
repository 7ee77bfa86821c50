import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** Short enough to type, and no two alike: 40 random bits. Part of names of branches and directories. */
export function newSessionId(): string {
  return Array.from(randomBytes(8), (byte) => ALPHABET.charAt(byte & 31)).join('')
}
