import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { requireDirectories } from './require-directories.ts'

const cwd = mkdtempSync(join(tmpdir(), 'amux dirs ü '))
mkdirSync(join(cwd, 'here'))
writeFileSync(join(cwd, 'file'), '')

afterAll(() => rmSync(cwd, { recursive: true, force: true }))

test('directories that exist pass, relative ones from the directory of the run', () => {
  expect(() => requireDirectories({ prompt: 'x', cwd })).not.toThrow()
  expect(() => requireDirectories({ prompt: 'x', cwd, addDirs: ['here', cwd] })).not.toThrow()
})

test.each(['gone', 'file', 'file/below', '/no/such/place'])('%s is refused by name', (path) => {
  expect(() => requireDirectories({ prompt: 'x', cwd, addDirs: ['here', path] })).toThrow(
    expect.objectContaining({ code: 'VALIDATION_ERROR', message: expect.stringContaining(`no directory ${path}`) }),
  )
})
