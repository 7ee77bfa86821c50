import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AgentMuxError } from '../contract/errors.ts'

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

/** Fills a directory once, whole or not at all. False when it was there already. */
export async function fillOnce(target: string, fill: (scratch: string) => Promise<void>): Promise<boolean> {
  const isComplete = () => existsSync(join(target, 'complete'))
  if (isComplete()) return false
  await mkdir(dirname(target), { recursive: true })
  const scratch = await mkdtemp(join(dirname(target), '.new-'))
  try {
    await fill(scratch)
    await writeFile(join(scratch, 'complete'), `${new Date().toISOString()}\n`)
    await moveIntoPlace(scratch, target, isComplete)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
  return true
}

/** A rename is atomic, and the second process uses what the first one has put there. */
async function moveIntoPlace(scratch: string, target: string, isComplete: () => boolean): Promise<void> {
  if (!isComplete()) await rm(target, { recursive: true, force: true })
  try {
    await rename(scratch, target)
  } catch (error) {
    if (!isComplete()) throw error
  }
}

/** Runs an install step to its end; its output is shown only when it fails. */
export function runStep(command: string, args: string[], cwd: string): Promise<void> {
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
