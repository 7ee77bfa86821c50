import { createReadStream, createWriteStream } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress } from 'node:zlib'
import { recipes } from '../adapters/recipes.ts'
import { AgentMuxError } from '../contract/errors.ts'
import type { InstallRecipe, NpmRecipe, PipRecipe } from '../contract/install-recipe.ts'
import type { AgentName } from '../contract/names.ts'
import { fillOnce } from './fill-once.ts'
import { entryOf, writeLauncher } from './launcher.ts'
import { lockOf, pipLockOf } from './locks.ts'
import { npmInstall } from './npm.ts'
import { pipInstall } from './pip.ts'
import { findPython } from './python.ts'
import { packageName } from './recipes.ts'
import { type Runtime, runtimes } from './runtimes.ts'
import { runStep } from './steps.ts'

export interface PrivateInstall {
  agent: AgentName
  version: string
  /** To be put first on PATH. */
  binDir: string
  /** False when it was there already. */
  wasInstalled: boolean
}

export interface InstallRequest {
  agent: AgentName
  version: string
  /** Another one than the agent's own: that of an older form. */
  recipe?: InstallRecipe
  env?: Readonly<Record<string, string | undefined>>
  /** Gets a plain sentence about each step that takes time. */
  onProgress?: (message: string) => void
}

type Progress = (message: string) => void

/** Per user and per exact version, so that a second clone or run finds it. */
export function cacheDirectory(env: Readonly<Record<string, string | undefined>>): string {
  const base = env.AGENT_MUX_CACHE_DIR ?? env.XDG_CACHE_HOME ?? join(env.HOME ?? homedir(), '.cache')
  return env.AGENT_MUX_CACHE_DIR === undefined ? join(base, 'agent-mux') : base
}

/** The real CLI of an agent in our own cache, installed on first use. Touches nothing else of the user's. */
export async function installPrivately(request: InstallRequest): Promise<PrivateInstall> {
  const { agent, version, env = process.env, onProgress = () => {} } = request
  const given = request.recipe ?? recipes[agent]
  if (!given) throw new AgentMuxError('AGENT_NOT_FOUND', `There is no recipe to install "${agent}" privately`)
  const cache = cacheDirectory(env)
  const target = join(cache, 'agents', given.sharedWith ?? agent, version)
  const context = { cache, target, version, env, onProgress }
  const install = 'pypiPackage' in given ? fromPypi(given, context) : fromNpm(given, context)
  return { agent, version, ...(await install) }
}

interface Context extends Required<Pick<InstallRequest, 'version' | 'env' | 'onProgress'>> {
  cache: string
  target: string
}

type Installed = Pick<PrivateInstall, 'binDir' | 'wasInstalled'>

async function fromNpm(given: NpmRecipe, { cache, target, version, onProgress }: Context): Promise<Installed> {
  const recipe = { ...given, npmPackage: packageName(given) }
  const executable = recipe.runtime && (await installRuntime(cache, runtimes[recipe.runtime], onProgress))
  const wasInstalled = await fillOnce(target, async (scratch) => {
    const lock = lockOf(recipe.npmPackage, version)
    onProgress(announcement(recipe.npmPackage, version, lock))
    await npmInstall(scratch, recipe.npmPackage, version, { replaced: recipe.bundled, lock })
    await setUp(scratch, target, recipe, executable)
  })
  return { binDir: join(target, binDirOf(recipe)), wasInstalled }
}

async function fromPypi(recipe: PipRecipe, { target, version, env, onProgress }: Context): Promise<Installed> {
  const wasInstalled = await fillOnce(target, async (scratch) => {
    const python = await findPython(recipe.python, env)
    const lock = pipLockOf(recipe.pypiPackage, version, python.version)
    onProgress(announcement(recipe.pypiPackage, version, lock))
    await pipInstall(scratch, { recipe, version, python, lock, target })
  })
  return { binDir: join(target, 'bin'), wasInstalled }
}

function announcement(name: string, version: string, lock: string | undefined): string {
  const pinned = lock === undefined ? ', whose content is not pinned by a hash,' : ''
  return `installing ${name}@${version}${pinned} into the cache …`
}

function binDirOf({ npmPackage, binDir, runtime }: NpmRecipe): string {
  if (runtime) return 'bin'
  return binDir === undefined ? join('node_modules', '.bin') : join('node_modules', npmPackage, binDir)
}

async function setUp(scratch: string, target: string, recipe: NpmRecipe, executable?: string): Promise<void> {
  const { npmPackage, command, setupScript, binDir = '', brotli } = recipe
  const installed = join(scratch, 'node_modules', npmPackage)
  if (brotli !== undefined) await unpack(join(installed, binDir, brotli), join(installed, binDir, command))
  if (setupScript !== undefined) await runStep(executable ?? process.execPath, [setupScript], installed)
  if (executable === undefined) return
  // It is written before the directory gets its name, so the paths in it are those of later.
  const entry = join(target, 'node_modules', npmPackage, await entryOf(installed, command))
  await writeLauncher({ binDir: join(scratch, 'bin'), command, executable, entry })
}

async function unpack(compressed: string, program: string): Promise<void> {
  await pipeline(createReadStream(compressed), createBrotliDecompress(), createWriteStream(program, { mode: 0o755 }))
}

/** One copy of each runtime, for all agents that need it. Gives the path of its executable. */
async function installRuntime(cache: string, runtime: Runtime, onProgress: Progress): Promise<string> {
  const { name, version, packages } = runtime
  const npmPackage = packages[`${process.platform}-${process.arch}`]
  if (npmPackage === undefined) {
    throw new AgentMuxError('SPAWN_ERROR', `${name} ${version} is not on npm for ${process.platform}-${process.arch}`)
  }
  const target = join(cache, 'runtimes', npmPackage, version)
  await fillOnce(target, (scratch) => {
    onProgress(`installing ${name} ${version} into the cache …`)
    return npmInstall(scratch, npmPackage, version, { lock: lockOf(npmPackage, version) })
  })
  const suffix = process.platform === 'win32' ? '.exe' : ''
  return join(target, 'node_modules', npmPackage, `${runtime.executable}${suffix}`)
}
