import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { findPython } from './python.ts'

const scratch = mkdtempSync(join(tmpdir(), 'amux python '))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** A home whose pyenv has these: what they print when they are asked for their version, or how they fail. */
function homeWith(pythons: Record<string, string>): { HOME: string } {
  const home = mkdtempSync(join(scratch, 'home '))
  for (const [name, script] of Object.entries(pythons)) {
    const bin = join(home, '.pyenv', 'versions', name, 'bin')
    mkdirSync(bin, { recursive: true })
    writeFileSync(join(bin, 'python3'), `#!/bin/sh\n${script}\n`)
    chmodSync(join(bin, 'python3'), 0o755)
  }
  return { HOME: home }
}

describe.skipIf(process.platform === 'win32')('the Python of a recipe', () => {
  test('is one within its bounds, whatever others there are', async () => {
    const env = homeWith({ a: 'echo 7.1', b: 'echo 7.4', c: 'echo 7.12', broken: 'exit 1' })
    await expect(findPython({ from: '7.3', below: '7.10' }, env)).resolves.toMatchObject({ version: '7.4' })
    await expect(findPython({ from: '7.10' }, env)).resolves.toMatchObject({ version: '7.12' })
  })

  test('is missed with a next step when there is none', async () => {
    const missing = findPython({ from: '7.3', below: '7.4' }, homeWith({ a: 'echo 7.4' }))
    await expect(missing).rejects.toMatchObject({
      message: 'No Python from 7.3 on, below 7.4 with venv and pip was found',
      hint: expect.stringContaining('python3-venv'),
    })
  })
})
