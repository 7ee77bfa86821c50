import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runStep } from './steps.ts'

const NPM_FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--loglevel=error']

/**
 * Puts the exact version of a package into a directory. Dependencies that are `replaced` are left empty. With a lock
 * file, npm refuses every package whose content has another hash than the one that was pinned.
 */
export async function npmInstall(
  directory: string,
  npmPackage: string,
  version: string,
  { replaced = [], lock }: { replaced?: readonly string[]; lock?: string } = {},
): Promise<void> {
  await scratchManifest(directory, npmPackage, version, replaced)
  if (lock !== undefined) await copyFile(lock, join(directory, 'package-lock.json'))
  await runStep('npm', [lock === undefined ? 'install' : 'ci', ...NPM_FLAGS], directory)
}

/** A package that depends on just this one. */
export async function scratchManifest(
  directory: string,
  npmPackage: string,
  version: string,
  replaced: readonly string[] = [],
): Promise<void> {
  const overrides = Object.fromEntries(replaced.map((name) => [name, 'file:./empty']))
  const manifest = { private: true, dependencies: { [npmPackage]: version }, overrides }
  await writeFile(join(directory, 'package.json'), `${JSON.stringify(manifest)}\n`)
  if (replaced.length === 0) return
  await mkdir(join(directory, 'empty'))
  await writeFile(join(directory, 'empty', 'package.json'), '{ "name": "empty", "version": "0.0.0" }\n')
}
