import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { AgentMuxError } from '../contract/errors.ts'
import type { AgentName } from '../contract/names.ts'
import { type InstallRecipe, recipes } from './recipes.ts'

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
  env?: Readonly<Record<string, string | undefined>>
  /** Told in plain words what takes time. */
  onProgress?: (message: string) => void
}

const NPM_FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--loglevel=error']

/** Per user and per exact version, so that a second clone or run finds it. */
export function cacheDirectory(env: Readonly<Record<string, string | undefined>>): string {
  const base = env.AGENT_MUX_CACHE_DIR ?? env.XDG_CACHE_HOME ?? join(env.HOME ?? homedir(), '.cache')
  return env.AGENT_MUX_CACHE_DIR === undefined ? join(base, 'agent-mux') : base
}

/** The real CLI of an agent in our own cache, installed on first use. Touches nothing else of the user's. */
export async function installPrivately(request: InstallRequest): Promise<PrivateInstall> {
  const { agent, version, env = process.env, onProgress = () => {} } = request
  const recipe = recipes[agent]
  if (!recipe) throw new AgentMuxError('AGENT_NOT_FOUND', `There is no recipe to install "${agent}" privately`)
  const target = join(cacheDirectory(env), 'agents', agent, version)
  const binDir = join(target, 'node_modules', '.bin')
  const isComplete = () => existsSync(join(target, 'complete'))
  if (isComplete()) return { agent, version, binDir, wasInstalled: false }
  onProgress(`installing ${recipe.npmPackage}@${version} into the cache …`)
  await mkdir(dirname(target), { recursive: true })
  const scratch = await mkdtemp(join(dirname(target), `.${version}-`))
  try {
    await npmInstall(scratch, recipe, version)
    await writeFile(join(scratch, 'complete'), `${new Date().toISOString()}\n`)
    await moveIntoPlace(scratch, target, isComplete)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
  return { agent, version, binDir, wasInstalled: true }
}

async function npmInstall(directory: string, recipe: InstallRecipe, version: string): Promise<void> {
  await writeFile(join(directory, 'package.json'), '{ "private": true }\n')
  await run('npm', ['install', ...NPM_FLAGS, `${recipe.npmPackage}@${version}`], directory)
  if (recipe.setupScript === undefined) return
  await run(process.execPath, [recipe.setupScript], join(directory, 'node_modules', recipe.npmPackage))
}

/** Whole or not at all: a rename is atomic, and whoever comes second uses what the first one has put there. */
async function moveIntoPlace(scratch: string, target: string, isComplete: () => boolean): Promise<void> {
  if (!isComplete()) await rm(target, { recursive: true, force: true })
  try {
    await rename(scratch, target)
  } catch (error) {
    if (!isComplete()) throw error
  }
}

/** Runs an install step to its end; its output is shown only when it fails. */
function run(command: string, args: string[], cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' })
    let output = ''
    const collect = (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-4000)
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.once('error', (error) => reject(installError(command, args, error.message)))
    child.once('close', (code) => (code === 0 ? resolve() : reject(installError(command, args, output))))
  })
}

function installError(command: string, args: string[], output: string): AgentMuxError {
  return new AgentMuxError('SPAWN_ERROR', `\`${command} ${args.join(' ')}\` failed: ${output.trim()}`, {
    hint: 'Check that npm and the registry can be reached, then try again; nothing half-installed was kept.',
  })
}
