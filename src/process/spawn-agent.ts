import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import type { SpawnArgs } from '../contract/spawn.ts'
import { writeRunFiles } from './run-files.ts'

/** What a run needs of a process, whether it has pipes or a terminal. */
export interface AgentChild {
  readonly pid?: number
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  readonly exitCode: number | null
  readonly signalCode: string | null
  on(event: 'error', listener: (error: Error) => void): unknown
  once(event: 'exit', listener: () => void): unknown
  once(event: 'close', listener: () => void): unknown
}

export interface SpawnedAgent {
  child: AgentChild
  /** What `{secret}` stands for in the environment: new for every process, and known to nobody else. */
  secret: string
  /** Puts paths in place of `{file:<name>}`. */
  place(text: string): string
  /** Removes the run's own files. */
  cleanUp(): Promise<void>
}

const SECRET_REFERENCE = '{secret}'

/** Starts an agent in a process group of its own, so that all of it can be signalled at once. */
export async function spawnAgent(args: SpawnArgs, env: Record<string, string>, runId: string): Promise<SpawnedAgent> {
  const { place, remove } = await writeRunFiles(args.files ?? [], runId)
  const secret = randomBytes(24).toString('base64url')
  const placeEnv = (text: string) => (text === SECRET_REFERENCE ? secret : place(text))
  const placedEnv = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, placeEnv(value)]))
  try {
    const child = await startChild({ ...args, args: args.args.map(place) }, placedEnv)
    return { child, secret, place, cleanUp: remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function startChild(given: SpawnArgs, env: Record<string, string>): Promise<AgentChild> {
  const { command, args, cwd, shell = false } = given
  if (given.usePty) {
    const { spawnInPty } = await import('./pty-child.ts')
    return spawnInPty({ command, args, cwd, env, shell })
  }
  const launch = await launcher()
  const child: ChildProcessWithoutNullStreams = launch(command, args, {
    ...{ cwd, env, shell },
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // Without a free file descriptor Node returns a child that has no pipes and reports the error on it.
  if (child.stdin === undefined) throw await once(child, 'error').then(([error]) => error)
  return child
}

/** `cross-spawn` only where it is needed: npm's `.cmd` shims on Windows. */
async function launcher(): Promise<typeof spawn> {
  return process.platform === 'win32' ? (await import('cross-spawn')).default.spawn : spawn
}
