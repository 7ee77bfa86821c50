import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PipRecipe } from '../contract/install-recipe.ts'
import { writeLauncher } from './launcher.ts'
import type { Python } from './python.ts'
import { runStep } from './steps.ts'

const PIP_FLAGS = ['--disable-pip-version-check', '--no-input', '--quiet']

export interface PipInstall {
  recipe: PipRecipe
  version: string
  python: Python
  /** Every package with the hash of its file; pip refuses any other. */
  lock: string | undefined
  /** Where the directory will be when the command runs. */
  target: string
}

/** Puts a package from PyPI into a virtual environment below the directory, with a command that starts it. */
export async function pipInstall(
  directory: string,
  { recipe, version, python, lock, target }: PipInstall,
): Promise<void> {
  const { pypiPackage, extras = [], command } = recipe
  await runStep(python.executable, ['-m', 'venv', 'venv'], directory)
  const requirements = join(directory, 'requirements.txt')
  const wanted = extras.length > 0 ? `${pypiPackage}[${extras.join(',')}]` : pypiPackage
  if (lock === undefined) await writeFile(requirements, `${wanted}==${version}\n`)
  else await copyFile(lock, requirements)
  // Wheels only: what is built from source runs code of its package.
  const how = lock === undefined ? ['--prefer-binary'] : ['--require-hashes', '--only-binary', ':all:', '--no-deps']
  await runStep(
    join('venv', 'bin', 'python'),
    ['-m', 'pip', 'install', ...PIP_FLAGS, ...how, '-r', requirements],
    directory,
  )
  await mkdir(join(directory, 'bin'), { recursive: true })
  // The scripts of a virtual environment name the directory in which it was made, which is not the one where it will be.
  const venv = join(target, 'venv', 'bin')
  await writeLauncher({
    binDir: join(directory, 'bin'),
    command,
    executable: join(venv, 'python'),
    entry: join(venv, command),
  })
}
