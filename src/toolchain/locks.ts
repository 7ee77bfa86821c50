import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { recipes } from '../adapters/recipes.ts'
import type { PipRecipe } from '../contract/install-recipe.ts'
import { packageName, pinnedVersion } from './recipes.ts'
import { runtimes } from './runtimes.ts'

/** A package that we download at one exact version. */
export interface PinnedPackage {
  npmPackage: string
  version: string
  bundled?: readonly string[]
}

/** Where the lock file of a package is: the hash of it and of all that comes with it. */
export function lockFile(npmPackage: string, version: string): string {
  const name = `${npmPackage.replace('/', '+')}@${version}.json`
  return fileURLToPath(new URL(`../../data/locks/${name}`, import.meta.url))
}

/** Undefined for a version that nobody has pinned: the newest one, or one for another platform. */
export function lockOf(npmPackage: string, version: string): string | undefined {
  const path = lockFile(npmPackage, version)
  return existsSync(path) ? path : undefined
}

/** Where the hashes of a package from PyPI are, for one version of Python: each has other files and other dependencies. */
export function pipLockFile(pypiPackage: string, version: string, python: string): string {
  return fileURLToPath(new URL(`../../data/locks/${pypiPackage}@${version}-python${python}.txt`, import.meta.url))
}

/** Made on Linux x64; the files of other platforms have other hashes. */
export function pipLockOf(pypiPackage: string, version: string, python: string): string | undefined {
  const path = pipLockFile(pypiPackage, version, python)
  return process.platform === 'linux' && process.arch === 'x64' && existsSync(path) ? path : undefined
}

/** All from npm that is to be pinned, on the platform that the versions are pinned for. */
export function pinnedPackages(): PinnedPackage[] {
  const clis = Object.entries(recipes).flatMap(([agent, recipe]) =>
    [recipe, ...(recipe.older ? [recipe.older] : [])].flatMap((one): PinnedPackage[] => {
      if ('pypiPackage' in one) return []
      const version = pinnedVersion(agent, one)
      const npmPackage = packageName(one, 'linux', 'x64')
      return version === undefined ? [] : [{ npmPackage, version, bundled: one.bundled }]
    }),
  )
  const all = Object.values(runtimes).flatMap(({ version, packages }): PinnedPackage[] => {
    const npmPackage = packages['linux-x64']
    return npmPackage === undefined ? [] : [{ npmPackage, version }]
  })
  const seen = new Map([...clis, ...all].map((one) => [`${one.npmPackage}@${one.version}`, one]))
  return [...seen.values()]
}

/** All from PyPI that is to be pinned. */
export function pinnedPythonPackages(): { recipe: PipRecipe; version: string }[] {
  return Object.entries(recipes).flatMap(([agent, recipe]) => {
    const version = pinnedVersion(agent, recipe)
    return 'pypiPackage' in recipe && version !== undefined ? [{ recipe, version }] : []
  })
}
