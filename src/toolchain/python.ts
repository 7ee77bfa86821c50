import { readdir } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { AgentMuxError } from '../contract/errors.ts'
import type { PipRecipe } from '../contract/install-recipe.ts'
import { runStep } from './steps.ts'

export interface Python {
  executable: string
  /** Such as `3.11`. */
  version: string
}

const MINORS = [14, 13, 12, 11, 10]
/** Debian has `venv` and `ensurepip` in a package of their own. */
const PROBE = 'import sys, venv, ensurepip; print("%d.%d" % sys.version_info[:2])'

/** A Python of this machine that the recipe can run on: the plain one first, then others by version. */
export async function findPython(
  { from, below }: PipRecipe['python'],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Python> {
  for (const executable of ['python3', ...MINORS.map((minor) => `python3.${minor}`), ...(await pyenvPythons(env))]) {
    const version = await versionOf(executable)
    if (version === null || isOlder(version, from) || (below !== undefined && !isOlder(version, below))) continue
    return { executable, version }
  }
  const range = below === undefined ? `${from} or newer` : `from ${from} on, below ${below}`
  throw new AgentMuxError('SPAWN_ERROR', `No Python ${range} with venv and pip was found`, {
    hint: 'Install one (on Debian: python3 and python3-venv), then try again.',
  })
}

/** Those that pyenv has, but whose names on the PATH do not run unless somebody selects them. */
async function pyenvPythons(env: Readonly<Record<string, string | undefined>>): Promise<string[]> {
  const versions = join(env.PYENV_ROOT ?? join(env.HOME ?? homedir(), '.pyenv'), 'versions')
  const names = await readdir(versions).catch(() => [])
  return names.map((name) => join(versions, name, 'bin', 'python3'))
}

async function versionOf(executable: string): Promise<string | null> {
  try {
    return (await runStep(executable, ['-c', PROBE], tmpdir())).trim()
  } catch {
    return null
  }
}

function isOlder(version: string, than: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [otherMajor = 0, otherMinor = 0] = than.split('.').map(Number)
  return major < otherMajor || (major === otherMajor && minor < otherMinor)
}
