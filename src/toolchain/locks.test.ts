import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { recipes } from '../adapters/recipes.ts'
import { lockFile, lockOf, pinnedPackages, pinnedPythonPackages } from './locks.ts'
import { scratchManifest } from './npm.ts'
import { packageName } from './recipes.ts'

const scratch = mkdtempSync(join(tmpdir(), 'amux-locks-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

test.each(pinnedPackages())('$npmPackage $version is pinned with all that comes with it', ({ npmPackage, version }) => {
  const lock = JSON.parse(readFileSync(lockFile(npmPackage, version), 'utf8'))
  expect(lock.packages['']).toMatchObject({ dependencies: { [npmPackage]: version } })
  expect(lock.packages[`node_modules/${npmPackage}`]).toMatchObject({
    version,
    integrity: expect.stringMatching(/^sha512-/),
  })
})

test('every CLI of the conformance run is among them', () => {
  const names = pinnedPackages().map(({ npmPackage }) => npmPackage)
  const fromNpm = Object.values(recipes).filter((recipe) => 'npmPackage' in recipe)
  const clis = fromNpm.map((recipe) => packageName(recipe, 'linux', 'x64'))
  expect(clis.filter((name) => !names.includes(name))).toEqual([])
})

test.each(pinnedPythonPackages())(
  '$recipe.pypiPackage $version is pinned for a version of Python',
  ({ recipe, version }) => {
    const name = `${recipe.pypiPackage}@${version}-python`
    const [lock] = readdirSync(new URL('../../data/locks/', import.meta.url)).filter((file) => file.startsWith(name))
    const rows = readFileSync(new URL(`../../data/locks/${lock}`, import.meta.url), 'utf8')
      .trim()
      .split('\n')
    expect(rows.some((row) => row.startsWith(`${recipe.pypiPackage}==${version} `))).toBe(true)
  },
)

test('what nobody has pinned has no lock', () => {
  expect(lockOf('@anthropic-ai/claude-code', '0.0.0')).toBeUndefined()
})

test('the manifest of an install asks for the one version', async () => {
  await scratchManifest(scratch, 'some-cli', '1.2.3', ['left-empty'])
  expect(JSON.parse(readFileSync(join(scratch, 'package.json'), 'utf8'))).toEqual({
    private: true,
    dependencies: { 'some-cli': '1.2.3' },
    overrides: { 'left-empty': 'file:./empty' },
  })
})
