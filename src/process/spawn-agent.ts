import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { SpawnArgs } from '../contract/spawn.ts'
import { writeRunFiles } from './run-files.ts'

export interface SpawnedAgent {
  child: ChildProcessWithoutNullStreams
  /** What `{secret}` stands for in the environment: made anew for every process, and told to nobody else. */
  secret: string
  /** Removes the run's own files. */
  cleanUp(): Promise<void>
}

const SECRET_REFERENCE = '{secret}'

/** Starts an agent in a process group of its own, so that all of it can be signalled at once. */
export async function spawnAgent(args: SpawnArgs, env: Record<string, string>, runId: string): Promise<SpawnedAgent> {
  const { place, remove } = await writeRunFiles(args.files ?? [], runId)
  const secret = randomBytes(24).toString('base64url')
  const placeEnv = (text: string) => (text === SECRET_REFERENCE ? secret : place(text))
  const launch = await launcher()
  try {
    const child = launch(args.command, args.args.map(place), {
      cwd: args.cwd,
      env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, placeEnv(value)])),
      shell: args.shell ?? false,
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    // Without a free file descriptor Node returns a child that has no pipes and reports the error on it.
    if (child.stdin === undefined) throw await once(child, 'error').then(([error]) => error)
    return { child, secret, cleanUp: remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** `cross-spawn` only where it is needed: npm's `.cmd` shims on Windows. */
async function launcher(): Promise<typeof spawn> {
  return process.platform === 'win32' ? (await import('cross-spawn')).default.spawn : spawn
}
