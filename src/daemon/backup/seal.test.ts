import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../../test/support/client.ts'
import { seal, unseal } from './seal.ts'

const CONTENT = Buffer.alloc(3_000_000, 'some text ')

function sealed(): string {
  const path = join(temporaryDirectory(), 'backup')
  writeFileSync(path, CONTENT)
  seal(path)
  return path
}

test('a seal comes off and leaves the file as it was', () => {
  const path = sealed()
  expect(unseal(path)).toBe(true)
  expect(readFileSync(path).equals(CONTENT)).toBe(true)
  expect(unseal(path), 'there is none any more').toBe(false)
  writeFileSync(path, '')
  expect(unseal(path)).toBe(false)
})

test('one other bit anywhere breaks it', () => {
  for (const at of [0, 1_048_576, 2_999_999, 3_000_020]) {
    const path = sealed()
    const bytes = readFileSync(path)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    writeFileSync(path, bytes)
    expect(() => unseal(path) || 'not sealed', `at ${at}`).toThrow(/checksum/)
  }
})
